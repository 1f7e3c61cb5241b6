import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Site } from '../core/session/site';
import { Note } from '../design/feedback/note';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { SessionCard } from './session-card';
import { ForgotPasswordForm } from './password-forms';

@Component({
  selector: 'weir-forgot-password',
  imports: [SessionCard, Field, Form, MatButton, Note, RouterLink],
  template: `
    <weir-session-card [heading]="t('forgot.title')" [intro]="form.sent() ? '' : t('forgot.intro')">
      @if (form.sent()) {
        <weir-note tone="good">{{ t('forgot.sent') }}</weir-note>
        @if (site.settings()?.mailConfigured === false) {
          <weir-note tone="warn">{{ t('register.noMail') }}</weir-note>
        }
      } @else {
        <weir-form
          [group]="form.group"
          [action]="form.action"
          [label]="t('forgot.title')"
          (accepted)="form.submit()"
        >
          <weir-field
            type="email"
            name="email"
            autocomplete="username"
            [control]="form.controls.email"
            [label]="t('login.email')"
          />
          <div formActions class="stack-tight">
            <button matButton="filled" type="submit" [disabled]="form.action.busy()">
              {{ t('forgot.submit') }}
            </button>
          </div>
        </weir-form>
      }
      <p sessionCardBeneath>
        <a routerLink="/login">{{ t('forgot.toLogin') }}</a>
      </p>
    </weir-session-card>
  `,
})
export class ForgotPassword {
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly form = new ForgotPasswordForm(inject(Api));
}
