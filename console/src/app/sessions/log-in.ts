import { Component, computed, inject, input } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Router, RouterLink } from '@angular/router';
import { Api } from '../core/api/api';
import { mailboxOf } from '../core/forms/controls';
import { I18n } from '../core/i18n/i18n';
import { landingPath } from '../core/session/return-path';
import { Session } from '../core/session/session';
import { Site } from '../core/session/site';
import { Note } from '../design/feedback/note';
import { Form } from '../design/field/form';
import { SessionCard } from './session-card';
import { LogInFields } from './log-in-fields';
import { LogInForm } from './log-in-form';
import { SignOnButtons, type SignOnTerms } from './sign-on-buttons';
import { SignOnChoices } from './sign-on-choices';

@Component({
  selector: 'weir-log-in',
  imports: [SessionCard, Form, LogInFields, MatButton, Note, RouterLink, SignOnButtons],
  template: `
    <weir-session-card [heading]="t('login.title')">
      @if (note(); as text) {
        <weir-note [tone]="ended() ? 'info' : 'good'">{{ text }}</weir-note>
      }
      <weir-form
        [group]="form.group"
        [action]="form.action"
        [label]="t('login.title')"
        (accepted)="logIn()"
      >
        <weir-log-in-fields [form]="form" (focusout)="lookUp()" />
        @if (signOn.ofDomain().provider; as provider) {
          @if (signOn.ofDomain().onlySignOn) {
            <weir-note>{{ t('signOn.only', { name: provider.name }) }}</weir-note>
          }
          <weir-sign-on-buttons
            [choices]="[provider]"
            [filled]="true"
            [separated]="false"
            [terms]="terms"
          />
        }
        <div formActions class="stack-tight">
          <button
            [matButton]="signOn.ofDomain().provider ? 'outlined' : 'filled'"
            type="submit"
            [disabled]="form.action.busy()"
          >
            {{ form.needsCode() ? t('login.verify') : t('login.submit') }}
          </button>
          @if (form.needsCode()) {
            <button matButton type="button" (click)="form.startOver()">
              {{ t('action.back') }}
            </button>
          } @else {
            <a matButton routerLink="/forgot-password">{{ t('login.forgot') }}</a>
          }
        </div>
      </weir-form>
      @if (!form.needsCode()) {
        <weir-sign-on-buttons [choices]="signOn.others()" [terms]="terms" />
      }
      @if (site.settings()?.registrationMode !== 'closed') {
        <p sessionCardBeneath>
          {{ t('login.noAccount') }} <a routerLink="/register">{{ t('login.toRegister') }}</a>
        </p>
      }
    </weir-session-card>
  `,
})
export class LogIn {
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly site = inject(Site);
  protected readonly form = new LogInForm(inject(Session));
  protected readonly signOn = new SignOnChoices(inject(Api));
  protected readonly terms = (): SignOnTerms => {
    const email = mailboxOf(this.form.controls.email);
    const to = this.to();
    return { ...(email === '' ? {} : { email }), ...(to === undefined ? {} : { to }) };
  };

  /** Query parameters. */
  readonly to = input<string>();
  readonly ended = input<string>();
  readonly done = input<string>();

  protected readonly note = computed(() => {
    if (this.ended() !== undefined) return this.t('login.ended');
    if (this.done() === 'password') return this.t('login.passwordChanged');
    return this.done() === 'email' ? this.t('login.emailVerified') : '';
  });

  protected lookUp(): void {
    void this.signOn.lookUp(mailboxOf(this.form.controls.email));
  }

  protected async logIn(): Promise<void> {
    const user = await this.form.submit();
    if (user === undefined) return;
    const isNew = user.lastLoginAt === null;
    const path = landingPath(this.to());
    await this.#router.navigateByUrl(isNew && this.to() === undefined ? '/start' : path);
  }
}
