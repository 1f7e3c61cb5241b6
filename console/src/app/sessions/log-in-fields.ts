import { Component, inject, input } from '@angular/core';
import { I18n } from '../core/i18n/i18n';
import { Note } from '../design/feedback/note';
import { Field } from '../design/field/field';
import type { LogInForm } from './log-in-form';

/** What is entered to log in: e-mail address and password, then the code of the second factor. */
@Component({
  selector: 'weir-log-in-fields',
  imports: [Field, Note],
  template: `
    @if (form().needsCode()) {
      <weir-note>{{ t('login.secondFactor') }}</weir-note>
      <weir-field
        name="code"
        autocomplete="one-time-code"
        [control]="form().controls.code"
        [label]="t('login.code')"
        [hint]="t('login.codeHint')"
        [mono]="true"
      />
    } @else {
      <weir-field
        type="email"
        name="email"
        autocomplete="username"
        [control]="form().controls.email"
        [label]="t('login.email')"
      />
      <weir-field
        type="password"
        name="password"
        autocomplete="current-password"
        [control]="form().controls.password"
        [label]="t('login.password')"
      />
    }
  `,
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class LogInFields {
  protected readonly t = inject(I18n).t;
  readonly form = input.required<LogInForm>();
}
