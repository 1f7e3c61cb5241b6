import { computed } from '@angular/core';
import type { AccountOverview } from '@weir/shared/people/accounts';
import type { CreditView } from '@weir/shared/money/credits';
import type { KeyView } from '@weir/shared/people/keys';
import type { UserUpdate, UserView } from '@weir/shared/people/users';
import type { SubscriptionAdminUpdate, SubscriptionView } from '@weir/shared/money/subscriptions';
import type { ApiPort, Tagged } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import { RowList } from '../../core/state/row-list';

/**
 * One customer's account as a supporter sees it, and what can be done for the customer without
 * acting as them.
 */
export class AccountState {
  readonly #api: ApiPort;
  readonly #accountId: () => string;
  readonly overview: Loadable<AccountOverview>;
  readonly credits: RowList<CreditView>;

  readonly running = computed(() =>
    this.#subscriptions().filter(({ status }) => status === 'active'),
  );
  readonly past = computed(() => this.#subscriptions().filter(({ status }) => status !== 'active'));

  constructor(api: ApiPort, accountId: () => string) {
    this.#api = api;
    this.#accountId = accountId;
    this.overview = new Loadable(() =>
      api.call('getAccountOverview', { params: { accountId: accountId() } }),
    );
    this.credits = new RowList(
      (cursor) => api.call('listCredits', { query: { accountId: accountId(), cursor } }),
      ({ sequence }) => sequence,
    );
  }

  #subscriptions(): readonly SubscriptionView[] {
    return this.overview.value()?.subscriptions ?? [];
  }

  load(): void {
    void this.overview.load();
    void this.credits.load();
  }

  /** The account with its version, for editing. */
  fetch(): Promise<Tagged<AccountOverview['account']>> {
    return this.#api.callTagged('getAccount', { params: { accountId: this.#accountId() } });
  }

  async updateUser(user: UserView, change: UserUpdate): Promise<void> {
    const { etag } = await this.#api.callTagged('getUser', { params: { userId: user.id } });
    await this.#api.call('updateUser', {
      params: { userId: user.id },
      ifMatch: etag,
      body: change,
    });
    await this.overview.load();
  }

  async resetSecondFactor(user: UserView): Promise<void> {
    await this.#api.call('resetSecondFactor', { params: { userId: user.id } });
    await this.overview.load();
  }

  /** The link to hand on; null where it was mailed. */
  async resetPassword(user: UserView): Promise<string | null> {
    const params = { userId: user.id };
    const { link } = await this.#api.call('resetPasswordOfUser', { params });
    return link;
  }

  async delete(): Promise<void> {
    await this.#api.call('deleteAccount', { params: { accountId: this.#accountId() } });
  }

  async setKeyStatus(key: KeyView, status: 'active' | 'disabled'): Promise<void> {
    const { etag } = await this.#api.callTagged('getKeyOfAnyone', { params: { keyId: key.id } });
    await this.#api.call('updateKeyOfAnyone', {
      params: { keyId: key.id },
      ifMatch: etag,
      body: { status },
    });
    await this.overview.load();
  }

  async updateSubscription(
    subscription: SubscriptionView,
    change: SubscriptionAdminUpdate,
  ): Promise<void> {
    await this.#api.call('updateSubscription', {
      params: { subscriptionId: subscription.id },
      // To stop is one status: it means whatever is there.
      ifMatch: '*',
      body: change,
    });
    await this.overview.load();
  }
}
