import { Component, inject } from '@angular/core';
import type { ContentPolicyUpdate, ContentPolicyView } from '@weir/shared/watch/content-log';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { Action } from '../core/state/action';
import { Loadable } from '../core/state/loadable';
import { Dialogs } from '../design/dialog/dialogs';
import { PAGE_PARTS } from '../design/page/page-parts';

const DAY_MS = 86_400_000;

/** Whether keys of the account may keep content, and whether operators may read it. */
@Component({
  selector: 'weir-content-policy',
  imports: [PAGE_PARTS],
  template: `
    <section class="card stack" data-testid="content-policy">
      <h2>{{ t('content.policy') }}</h2>
      @if (policy.value(); as view) {
        <p>
          {{
            t(
              view.daysMax === 0
                ? 'content.operatorForbids'
                : view.allowed
                  ? 'content.allowed'
                  : 'content.forbidden'
            )
          }}
        </p>
        @if (view.supportUntil; as until) {
          <weir-note tone="warn">
            {{ t('content.supportUntil') }} <weir-time [at]="until" as="moment" />
          </weir-note>
        } @else {
          <p class="soft">{{ t('content.supportNever') }}</p>
        }
        @if (action.failure(); as failure) {
          <weir-failure-note [failure]="failure" />
        }
        @if (mayChange && view.daysMax > 0) {
          <div class="cluster">
            @if (view.allowed) {
              <button matButton="outlined" type="button" data-testid="forbid" (click)="forbid()">
                {{ t('content.forbid') }}
              </button>
              @if (view.supportUntil === null) {
                <button
                  matButton="outlined"
                  type="button"
                  data-testid="let-in"
                  [disabled]="action.busy()"
                  (click)="letSupportIn()"
                >
                  {{ t('content.letSupportIn') }}
                </button>
              } @else {
                <button
                  matButton="outlined"
                  type="button"
                  [disabled]="action.busy()"
                  (click)="change({ supportUntil: null })"
                >
                  {{ t('content.shutSupportOut') }}
                </button>
              }
            } @else {
              <button
                matButton="outlined"
                type="button"
                [disabled]="action.busy()"
                (click)="change({ allowed: true })"
              >
                {{ t('content.allow') }}
              </button>
            }
          </div>
        }
      } @else if (policy.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="policy.load()" />
      } @else {
        <weir-skeleton height="5rem" />
      }
    </section>
  `,
})
export class ContentPolicy {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  protected readonly mayChange = inject(Session).may('updateContentPolicy');
  protected readonly action = new Action();
  protected readonly policy = new Loadable<ContentPolicyView>(() =>
    this.#api.call('getContentPolicy'),
  );

  constructor() {
    void this.policy.load();
  }

  protected async change(body: ContentPolicyUpdate): Promise<void> {
    await this.action.run(() => this.#send(body));
  }

  protected async forbid(): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('content.forbidTitle'),
      text: this.t('content.forbidText'),
      action: this.t('content.forbid'),
      destructive: true,
      work: () => this.#send({ allowed: false }),
    });
  }

  protected async letSupportIn(): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('content.letInTitle'),
      text: this.t('content.letInText'),
      action: this.t('content.letSupportIn'),
      work: () => this.#send({ supportUntil: new Date(Date.now() + DAY_MS).toISOString() }),
    });
  }

  async #send(body: ContentPolicyUpdate): Promise<void> {
    this.policy.set(await this.#api.call('updateContentPolicy', { body }));
  }
}
