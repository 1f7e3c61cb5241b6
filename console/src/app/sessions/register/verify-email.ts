import { Component, inject } from '@angular/core';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { SessionCard } from '../session-card';
import { linkToken } from '../password-forms';

/** Follows the link from the mail at once; only when that fails is there something to read. */
@Component({
  selector: 'weir-verify-email',
  imports: [SessionCard, FailureNote, Note, RouterLink],
  template: `
    <weir-session-card
      [heading]="action.failure() || !token ? t('verify.failed') : t('verify.title')"
    >
      @if (!token) {
        <weir-note tone="warn">{{ t('reset.noToken') }}</weir-note>
      } @else if (action.failure(); as failure) {
        <weir-failure-note [failure]="failure" />
        <p>{{ t('verify.again') }}</p>
      } @else {
        <p role="status">{{ t('verify.working') }}</p>
      }
      <p sessionCardBeneath>
        <a routerLink="/login">{{ t('login.title') }}</a>
      </p>
    </weir-session-card>
  `,
})
export class VerifyEmail {
  readonly #api = inject(Api);
  readonly #router = inject(Router);
  protected readonly t = inject(I18n).t;
  protected readonly action = new Action();
  protected readonly token = linkToken(inject(ActivatedRoute).snapshot.fragment);

  constructor() {
    if (this.token !== undefined) void this.#verify(this.token);
  }

  async #verify(token: string): Promise<void> {
    const done = await this.action.run(() => this.#api.call('verifyEmail', { body: { token } }));
    if (done) await this.#router.navigate(['/login'], { queryParams: { done: 'email' } });
  }
}
