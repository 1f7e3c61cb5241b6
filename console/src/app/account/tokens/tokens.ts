import { Component, inject } from '@angular/core';
import type { AccessTokenView } from '@weir/shared/people/sessions';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { keyIn } from '../../core/i18n/options';
import { Loadable } from '../../core/state/loadable';
import { Dialogs } from '../../design/dialog/dialogs';
import { RESOURCE_PAGE } from '../../design/resource/resource-parts';
import { accountLinks } from '../account-links';
import { TokenDialog } from './token-dialog';

@Component({
  selector: 'weir-tokens',
  imports: [RESOURCE_PAGE],
  template: `
    <weir-resource-page
      heading="account.title"
      intro="tokens.intro"
      create="tokens.create"
      icon="token"
      none="tokens.none"
      noneHint="tokens.noneHint"
      [links]="links"
      (created)="create()"
    >
      <div class="split" *weirRow="let token of tokens">
        <div>
          <p>
            <span class="strong">{{ token.name }}</span>
            <weir-chip [tone]="token.scope === 'full' ? 'warn' : 'plain'">{{
              token.scope === 'full' ? t('tokens.full') : t('tokens.read')
            }}</weir-chip>
          </p>
          <p class="small soft">
            <code>{{ token.prefix }}…</code> · {{ token.accountName }} ·
            @if (token.role; as role) {
              {{ t(roleKey(role)) }} ·
            }
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
      <a emptyAction matButton="outlined" href="/api/reference" target="_blank" rel="noopener">{{
        t('palette.apiReference')
      }}</a>
    </weir-resource-page>
  `,
})
export class Tokens {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  protected readonly t = inject(I18n).t;
  protected readonly links = accountLinks();
  protected readonly roleKey = keyIn('memberRole');
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
