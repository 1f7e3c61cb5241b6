import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { AccessTokenView } from '@weir/shared/sessions';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Loadable } from '../core/state/loadable';
import { Dialogs } from '../design/dialog/dialogs';
import { EmptyState } from '../design/feedback/empty-state';
import { FailureNote } from '../design/feedback/failure-note';
import { Skeleton } from '../design/feedback/skeleton';
import { Icon } from '../design/icon/icon';
import { Page } from '../design/page/page';
import { SubNav } from '../design/page/sub-nav';
import { Chip } from '../design/text/chip';
import { Time } from '../design/text/time';
import { accountLinks } from './account-links';
import { TokenDialog } from './token-dialog';

@Component({
  selector: 'weir-tokens',
  imports: [Chip, EmptyState, FailureNote, Icon, MatButton, Page, Skeleton, SubNav, Time],
  template: `
    <weir-page [heading]="t('account.title')" [intro]="t('tokens.intro')">
      <button pageAction matButton="filled" type="button" (click)="create()">
        <weir-icon matButtonIcon name="plus" />{{ t('tokens.create') }}
      </button>
      <weir-sub-nav [label]="t('account.title')" [links]="links()" />
      @if (tokens.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="tokens.load()" />
      }
      <div class="card card-flush rows">
        @if (tokens.waiting()) {
          <div><weir-skeleton width="60%" height="2.5rem" /></div>
        }
        @for (token of tokens.value(); track token.id) {
          <div class="split">
            <div>
              <p>
                <span class="strong">{{ token.name }}</span>
                <weir-chip [tone]="token.scope === 'full' ? 'warn' : 'plain'">{{
                  token.scope === 'full' ? t('tokens.full') : t('tokens.read')
                }}</weir-chip>
              </p>
              <p class="small soft">
                <code>{{ token.prefix }}…</code> ·
                @if (token.lastUsedAt; as at) {
                  {{ t('keys.lastUsed') }} <weir-time [at]="at" />
                } @else {
                  {{ t('keys.neverUsed') }}
                }
                @if (token.expiresAt; as at) {
                  · {{ t('keys.expiresAt') }} <weir-time [at]="at" />
                }
              </p>
            </div>
            <button
              matButton
              type="button"
              [attr.aria-label]="t('tokens.revokeNamed', { name: token.name })"
              (click)="revoke(token)"
            >
              {{ t('tokens.revoke') }}
            </button>
          </div>
        }
        @if (tokens.value()?.length === 0) {
          <weir-empty-state icon="token" [heading]="t('tokens.none')" [hint]="t('tokens.noneHint')">
            <a matButton="outlined" href="/api/reference" target="_blank" rel="noopener">{{
              t('palette.apiReference')
            }}</a>
          </weir-empty-state>
        }
      </div>
    </weir-page>
  `,
})
export class Tokens {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  protected readonly links = accountLinks();
  protected readonly tokens = new Loadable(
    async () => (await this.#api.call('listAccessTokens')).data,
  );

  constructor() {
    void this.tokens.load();
  }

  protected async create(): Promise<void> {
    await this.#dialogs.open(TokenDialog, { data: null });
    await this.tokens.load();
  }

  protected async revoke(token: AccessTokenView): Promise<void> {
    const params = { accessTokenId: token.id };
    const revoked = await this.#dialogs.confirm({
      heading: this.t('tokens.revokeTitle'),
      text: this.t('tokens.revokeText', { name: token.name }),
      action: this.t('tokens.revoke'),
      destructive: true,
      work: () => this.#api.call('deleteAccessToken', { params }),
    });
    if (revoked) await this.tokens.load();
  }
}
