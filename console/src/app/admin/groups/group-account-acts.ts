import { inject } from '@angular/core';
import type { GroupAccountView } from '@weir/shared/catalog/groups';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import type { RowAct } from '../../design/table/row-menu';
import type { GroupAccountSeen } from './group-account-form';

const TAKE_TEXTS = {
  public: 'groups.takePublicText',
  code: 'groups.takeCodeText',
  chosen: 'groups.takeText',
} as const;

/**
 * The acts of an operator on accounts in groups, from the page of either. Needs an injection
 * context.
 */
export class GroupAccountActs {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #t = inject(I18n).t;
  readonly #changed: () => unknown;

  readonly acts: readonly RowAct<GroupAccountView>[] = [
    { icon: 'edit', label: 'groups.ownPriceAction', run: (row) => this.open(row) },
    { icon: 'trash', label: 'groups.takeAction', run: (row) => this.take(row) },
  ];

  /** @param changed called after each change */
  constructor(changed: () => unknown) {
    this.#changed = changed;
  }

  async open(seen: GroupAccountSeen): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { GroupAccountDialog } = await import('./group-account-dialog');
      const done = await this.#dialogs.open<GroupAccountSeen, boolean>(GroupAccountDialog, {
        data: seen,
      });
      if (done === true) this.#changed();
    });
  }

  async take({ groupId, groupName, groupAccess, accountId, accountName }: GroupAccountView) {
    const names = { group: groupName, account: accountName };
    const taken = await this.#dialogs.confirm({
      heading: this.#t('groups.takeTitle', names),
      text: this.#t(TAKE_TEXTS[groupAccess]),
      action: this.#t('groups.takeAction'),
      destructive: true,
      work: () => this.#api.call('removeGroupAccount', { params: { groupId, accountId } }),
    });
    if (taken) this.#changed();
  }
}
