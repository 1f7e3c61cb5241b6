import { DOCUMENT } from '@angular/common';
import { Component, effect, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { Note } from '../design/feedback/note';
import { Form } from '../design/field/form';
import { LogInFields } from './log-in-fields';
import { LogInForm } from './log-in-form';

/**
 * Logging in over a page that holds what its user has typed, after the session has ended there. The
 * page is covered meanwhile, and stays if the same user logs in; for another one it is loaded
 * again.
 */
@Component({
  selector: 'weir-log-in-again',
  imports: [Form, LogInFields, MatButton, MatDialogModule, Note],
  template: `
    <h2 mat-dialog-title>{{ t('login.again') }}</h2>
    <mat-dialog-content class="stack">
      <weir-note>{{ t('login.againHint') }}</weir-note>
      <weir-form
        id="log-in-again"
        [group]="form.group"
        [action]="form.action"
        [label]="t('login.again')"
        (accepted)="form.submit()"
      >
        <weir-log-in-fields [form]="form" />
        <div formActions class="cluster">
          <button matButton="filled" type="submit" [disabled]="form.action.busy()">
            {{ form.needsCode() ? t('login.verify') : t('login.submit') }}
          </button>
          <button matButton type="button" (click)="leave()">{{ t('login.againLeave') }}</button>
        </div>
      </weir-form>
    </mat-dialog-content>
  `,
})
export class LogInAgain {
  readonly #session = inject(Session);
  readonly #view = inject(DOCUMENT).defaultView;
  protected readonly t = inject(I18n).t;
  protected readonly form = new LogInForm({
    logIn: (credentials) => this.#session.logInAgain(credentials),
  });

  constructor() {
    const dialog = inject<MatDialogRef<LogInAgain>>(MatDialogRef);
    this.form.controls.email.setValue(this.#session.former?.email ?? '');
    // Also when another tab has logged the same user in.
    effect(() => {
      if (this.#session.state().kind === 'present') dialog.close();
    });
  }

  /** A new page knows nothing of this one. */
  protected leave(): void {
    this.#view?.location.assign('/login');
  }
}
