import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import type { AccountAdminView, AccountView } from '@weir/shared/people/accounts';
import type { KeyView } from '@weir/shared/people/keys';
import type { SubscriptionView } from '@weir/shared/money/subscriptions';
import { USER_ROLES, type UserView } from '@weir/shared/people/users';
import { CREDIT_WORDS } from '../../billing/credit-words';
import { PastPlans } from '../../billing/plans/past-plans';
import { PlanWindows } from '../../billing/plans/plan-windows';
import { Api } from '../../core/api/api';
import type { Tagged } from '../../core/api/call-input';
import { Formatter } from '../../core/format/formatter';
import { I18n, type PlainKey } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { OperationKeys } from '../../core/state/operation-keys';
import { Dialogs } from '../../design/dialog/dialogs';
import { SecretDialog, type Secret } from '../../design/dialog/secret-dialog';
import { Toasts } from '../../design/feedback/toasts';
import { StatTile } from '../../design/page/stat-tile';
import { TABLE_PAGE } from '../../design/page/page-parts';
import type { Column } from '../../design/table/column';
import { ObjectPage } from '../../object/object-page';
import { operatorSource } from '../../object/object-source';
import { ObjectHistory } from '../history/object-history';
import { keyState } from '../../keys/key-status';
import { AccountActivity } from './account-activity';
import { AccountGroups } from './account-groups';
import { AccountEditDialog } from './account-edit-dialog';
import { AccountState } from './account-state';
import { CreditDialog } from './credit/credit-dialog';
import { EmailDialog } from './email-dialog';
import { AccountPrices } from './prices/account-prices';
import { GrantDialog, type GrantDialogData } from './credit/grant-dialog';

const ROLE_WORDS = {
  user: { make: 'users.makeUser', text: 'users.makeUserText' },
  support: { make: 'users.makeSupport', text: 'users.makeSupportText' },
  admin: { make: 'users.makeAdmin', text: 'users.makeAdminText' },
} as const satisfies Readonly<Record<UserView['role'], { make: PlainKey; text: string }>>;

/** At first; an account may have thousands of members. */
const USERS_SHOWN = 10;

const COLUMNS: readonly Column[] = [
  { id: 'time', header: 'credit.time', width: '13rem', narrow: 'detail' },
  { id: 'kind', header: 'credit.kind', width: '9rem', narrow: 'title' },
  { id: 'reason', header: 'credit.reason', width: '2fr', narrow: 'note' },
  { id: 'amount', header: 'credit.amount', width: '8rem', align: 'end', narrow: 'value' },
];

@Component({
  selector: 'weir-admin-account',
  imports: [
    AccountActivity,
    AccountGroups,
    AccountPrices,
    ObjectHistory,
    ObjectPage,
    PastPlans,
    PlanWindows,
    StatTile,
    TABLE_PAGE,
  ],
  templateUrl: './account.html',
  styles: `
    .note {
      overflow-wrap: anywhere;
      white-space: pre-line;
    }
  `,
})
export class AdminAccount {
  readonly #dialogs = inject(Dialogs);
  readonly #keys = inject(OperationKeys);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly session = inject(Session);
  protected readonly creditWords = CREDIT_WORDS;
  protected readonly keyState = keyState;
  protected readonly roles = USER_ROLES;
  protected readonly roleWords = ROLE_WORDS;

  /** Route parameter. */
  readonly accountId = input.required<string>();

  readonly #api = inject(Api);
  protected readonly source = computed(() =>
    operatorSource(this.#api, { accountId: this.accountId() }),
  );
  protected readonly state = new AccountState(this.#api, () => this.accountId());
  protected readonly account = computed(() => this.state.overview.value()?.account);
  /** Of a deleted account only its books are left, which may still have to be put right. */
  protected readonly isDeleted = computed(() => (this.account()?.deletedAt ?? null) !== null);
  protected readonly thisMonth = computed(() => this.formatter.today().slice(0, 7));
  protected readonly columns = COLUMNS;
  protected readonly usersMax = signal(USERS_SHOWN);
  protected readonly shownUsers = computed(
    () => this.state.overview.value()?.users.slice(0, this.usersMax()) ?? [],
  );

  constructor() {
    effect(() => {
      this.accountId();
      untracked(() => this.state.load());
    });
  }

  protected async edit(): Promise<void> {
    await this.#toasts.reporting(async () => {
      const data = await this.state.fetch();
      const updated = await this.#dialogs.open<Tagged<AccountAdminView>, AccountAdminView>(
        AccountEditDialog,
        { data },
      );
      if (updated === undefined) return;
      this.#toasts.info(this.t('account.saved'));
      await this.state.overview.load();
    });
  }

  protected async credit(account: AccountView): Promise<void> {
    const given = await this.#dialogs.open<AccountView, boolean>(CreditDialog, { data: account });
    if (given === true || this.#keys.hasPending()) this.state.load();
  }

  protected async grant(): Promise<void> {
    const granted = await this.#dialogs.open<GrantDialogData, boolean>(GrantDialog, {
      data: { accountId: this.accountId() },
    });
    if (granted === true || this.#keys.hasPending()) this.state.load();
  }

  protected async setDisabled(user: UserView, disabled: boolean): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t(disabled ? 'users.disableTitle' : 'users.enableTitle'),
      text: this.t(disabled ? 'users.disableText' : 'users.enableText', { email: user.email }),
      action: this.t(disabled ? 'action.disable' : 'action.enable'),
      destructive: disabled,
      work: () => this.state.updateUser(user, { disabled }),
    });
  }

  protected async setRole(user: UserView, role: UserView['role']): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('users.roleTitle'),
      text: this.t(ROLE_WORDS[role].text, { email: user.email }),
      action: this.t(ROLE_WORDS[role].make),
      ...(role === 'user' ? {} : { name: user.email }),
      work: () => this.state.updateUser(user, { role }),
    });
  }

  protected async resetPassword(user: UserView): Promise<void> {
    const made: { link: string | null } = { link: null };
    const done = await this.#dialogs.confirm({
      heading: this.t('users.resetPasswordTitle'),
      text: this.t('users.resetPasswordText', { email: user.email }),
      action: this.t('users.resetPassword'),
      destructive: true,
      work: async () => {
        made.link = await this.state.resetPassword(user);
      },
    });
    if (!done) return;
    const { link } = made;
    if (link === null) this.#toasts.info(this.t('users.linkMailed', { email: user.email }));
    else {
      const data: Secret = {
        heading: 'users.resetPassword',
        what: 'users.resetLink',
        warning: 'users.handOn',
        secret: link,
      };
      await this.#dialogs.open<Secret, boolean>(SecretDialog, { data });
    }
  }

  protected async changeEmail(user: UserView): Promise<void> {
    const changed = await this.#dialogs.open<UserView, boolean>(EmailDialog, { data: user });
    if (changed === true) await this.state.overview.load();
  }

  protected async remove(account: AccountView): Promise<void> {
    const removed = await this.#dialogs.confirm({
      heading: this.t('accounts.deleteTitle'),
      text: this.t('accounts.deleteText', {
        balance: this.formatter.usd(account.balance?.availableUsd ?? '0'),
      }),
      action: this.t('accounts.delete'),
      name: account.name,
      destructive: true,
      work: () => this.state.delete(),
    });
    if (removed) this.state.load();
  }

  protected async resetSecondFactor(user: UserView): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('users.resetTitle'),
      text: this.t('users.resetText', { email: user.email }),
      action: this.t('users.reset'),
      name: user.email,
      destructive: true,
      work: () => this.state.resetSecondFactor(user),
    });
  }

  protected async toggleKey(key: KeyView): Promise<void> {
    const status = key.status === 'active' ? 'disabled' : 'active';
    await this.#toasts.reporting(() => this.state.setKeyStatus(key, status));
  }

  protected async stopSubscription(subscription: SubscriptionView): Promise<void> {
    await this.#dialogs.confirm({
      heading: this.t('subscriptions.stopTitle'),
      text: this.t('subscriptions.stopText', { plan: subscription.planName }),
      action: this.t('subscriptions.stop'),
      destructive: true,
      work: () => this.state.updateSubscription(subscription, { status: 'cancelled' }),
    });
  }
}
