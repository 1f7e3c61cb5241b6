import { Component, inject } from '@angular/core';
import type { MembershipView } from '@weir/shared/people/members';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { keyIn } from '../core/i18n/options';
import { Session } from '../core/session/session';
import { Loadable } from '../core/state/loadable';
import { Dialogs } from '../design/dialog/dialogs';
import { Toasts } from '../design/feedback/toasts';
import { RESOURCE_PAGE } from '../design/resource/resource-parts';
import { accountLinks } from './account-links';
import { OpenAccountDialog } from './open-account-dialog';

/** The accounts that the person is a member of. */
@Component({
  selector: 'weir-memberships',
  imports: [RESOURCE_PAGE],
  template: `
    <weir-resource-page
      heading="account.title"
      intro="memberships.intro"
      create="memberships.create"
      icon="accounts"
      none="memberships.none"
      noneHint="memberships.intro"
      [links]="links"
      (created)="create()"
    >
      <div class="split" *weirRow="let one of memberships">
        <div>
          <p>
            <span class="strong">{{ one.accountName }}</span>
            @if (one.accountId === session.membership()?.accountId) {
              <weir-chip tone="good">{{ t('memberships.current') }}</weir-chip>
            }
          </p>
          <p class="small soft">
            {{ t(roleKey(one.role)) }}
            @if (one.teamName; as team) {
              · {{ team }}
            }
          </p>
        </div>
        <div class="cluster">
          @if (one.ownershipOffered) {
            <button
              matButton="filled"
              type="button"
              [attr.aria-label]="t('memberships.acceptNamed', { name: one.accountName })"
              (click)="accept(one)"
            >
              {{ t('memberships.accept') }}
            </button>
          }
          @if (one.accountId !== session.membership()?.accountId) {
            <button
              matButton
              type="button"
              [attr.aria-label]="t('memberships.switchNamed', { name: one.accountName })"
              (click)="switchTo(one)"
            >
              {{ t('memberships.switch') }}
            </button>
          }
          <button
            matButton
            type="button"
            [attr.aria-label]="t('memberships.leaveNamed', { name: one.accountName })"
            (click)="leave(one)"
          >
            {{ t('memberships.leave') }}
          </button>
        </div>
      </div>
    </weir-resource-page>
  `,
})
export class Memberships {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);
  protected readonly links = accountLinks();
  protected readonly roleKey = keyIn('memberRole');
  protected readonly memberships = new Loadable(async () => {
    const { data } = await this.#api.call('listMemberships');
    return data.map((one) => ({ ...one, id: one.accountId }));
  });

  constructor() {
    void this.memberships.load();
  }

  protected async create(): Promise<void> {
    await this.#dialogs.open(OpenAccountDialog, { data: null });
  }

  protected async switchTo({ accountId }: MembershipView): Promise<void> {
    await this.#toasts.reporting(() => this.session.switchTo(accountId));
  }

  protected async accept({ accountId }: MembershipView): Promise<void> {
    await this.#toasts.reporting(async () => {
      await this.#api.call('acceptOwnership', { params: { accountId } });
      await this.memberships.load();
    });
  }

  protected async leave({ accountId, accountName }: MembershipView): Promise<void> {
    const left = await this.#dialogs.confirm({
      heading: this.t('memberships.leaveTitle'),
      text: this.t('memberships.leaveText', { name: accountName }),
      action: this.t('memberships.leave'),
      destructive: true,
      work: () => this.#api.call('leaveAccount', { params: { accountId } }),
    });
    if (left) this.session.beginIn('/account/accounts');
  }
}
