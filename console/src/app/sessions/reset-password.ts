import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Note } from '../design/feedback/note';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { SessionCard } from './session-card';
import { linkToken, ResetPasswordForm } from './password-forms';

@Component({
  selector: 'weir-reset-password',
  imports: [SessionCard, Field, Form, MatButton, Note, RouterLink],
  template: `
    <weir-session-card [heading]="t('reset.title')" [intro]="form ? t('reset.intro') : ''">
      @if (form; as form) {
        <weir-form
          [group]="form.group"
          [action]="form.action"
          [label]="t('reset.title')"
          (accepted)="reset(form)"
        >
          <weir-field
            type="password"
            name="password"
            autocomplete="new-password"
            [control]="form.controls.password"
            [label]="t('reset.password')"
            [hint]="t('register.passwordHint')"
          />
          <div formActions class="stack-tight">
            <button matButton="filled" type="submit" [disabled]="form.action.busy()">
              {{ t('reset.submit') }}
            </button>
          </div>
        </weir-form>
      } @else {
        <weir-note tone="warn">{{ t('reset.noToken') }}</weir-note>
      }
      <p sessionCardBeneath>
        <a routerLink="/forgot-password">{{ t('login.forgot') }}</a>
      </p>
    </weir-session-card>
  `,
})
export class ResetPassword {
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly form = this.#makeForm();

  #makeForm(): ResetPasswordForm | undefined {
    const token = linkToken(inject(ActivatedRoute).snapshot.fragment);
    return token === undefined ? undefined : new ResetPasswordForm(inject(Api), token);
  }

  protected async reset(form: ResetPasswordForm): Promise<void> {
    if (!(await form.submit())) return;
    await this.#router.navigate(['/login'], { queryParams: { done: 'password' } });
  }
}
