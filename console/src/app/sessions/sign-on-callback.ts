import { Component, DOCUMENT, inject, input, type OnInit, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { RouterLink } from '@angular/router';
import { FormGroup } from '@angular/forms';
import { SignOnSecondFactor, type SignOnResult } from '@weir/shared/people/sign-on';
import { Api } from '../core/api/api';
import { words } from '../core/forms/controls';
import { I18n } from '../core/i18n/i18n';
import { landingPath } from '../core/session/return-path';
import { Action } from '../core/state/action';
import { FailureNote } from '../design/feedback/failure-note';
import { Note } from '../design/feedback/note';
import { Skeleton } from '../design/feedback/skeleton';
import { Field } from '../design/field/field';
import { Form } from '../design/field/form';
import { SessionCard } from './session-card';

/** The page that a provider sends the browser back to. */
@Component({
  selector: 'weir-sign-on-callback',
  imports: [FailureNote, Field, Form, MatButton, Note, RouterLink, SessionCard, Skeleton],
  template: `
    <weir-session-card [heading]="t('signOn.title')">
      @if (needsCode()) {
        <weir-note>{{ t('login.secondFactor') }}</weir-note>
        <weir-form
          [group]="group"
          [action]="proof"
          [label]="t('signOn.title')"
          (accepted)="prove()"
        >
          <weir-field
            name="code"
            autocomplete="one-time-code"
            [control]="code"
            [label]="t('login.code')"
            [hint]="t('login.codeHint')"
            [mono]="true"
          />
          <div formActions class="stack-tight">
            <button matButton="filled" type="submit" [disabled]="proof.busy()">
              {{ t('login.verify') }}
            </button>
          </div>
        </weir-form>
      } @else if (action.failure(); as failure) {
        <weir-failure-note [failure]="failure" />
        <a matButton="filled" routerLink="/login">{{ t('signOn.again') }}</a>
      } @else {
        <p class="soft" role="status">{{ t('signOn.wait') }}</p>
        <weir-skeleton width="70%" />
      }
    </weir-session-card>
  `,
})
export class SignOnCallback implements OnInit {
  readonly #api = inject(Api);
  readonly #view = inject(DOCUMENT).defaultView;
  protected readonly t = inject(I18n).t;
  protected readonly action = new Action();
  protected readonly proof = new Action();
  protected readonly needsCode = signal(false);
  protected readonly code = words(SignOnSecondFactor.properties.code, { required: true });
  protected readonly group = new FormGroup({ code: this.code });
  #state = '';

  /** A parameter of the path. */
  readonly slug = input.required<string>();

  ngOnInit(): void {
    const query = this.#view?.location.search.slice(1) ?? '';
    this.#state = new URLSearchParams(query).get('state') ?? '';
    // The code has been used then: a reload or a copied address must not send it again.
    this.#view?.history.replaceState(null, '', this.#view.location.pathname);
    void this.#finish(query);
  }

  async #finish(query: string): Promise<void> {
    await this.action.run(async () => {
      const body = { provider: this.slug(), query };
      this.#enter(await this.#api.call('finishSignOn', { body }));
    });
  }

  protected async prove(): Promise<void> {
    await this.proof.run(async () => {
      const body = { state: this.#state, code: this.code.value.replace(/\s/g, '') };
      this.#enter(await this.#api.call('proveSignOn', { body }));
    });
  }

  /** The page is loaded again, so that nothing of a visitor is left. */
  #enter({ outcome, to, isNew }: SignOnResult): void {
    if (outcome === 'second_factor_required') {
      this.needsCode.set(true);
      return;
    }
    const wanted = to ?? (isNew ? '/start' : undefined);
    this.#view?.location.assign(landingPath(wanted));
  }
}
