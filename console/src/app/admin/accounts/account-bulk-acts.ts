import { FormGroup } from '@angular/forms';
import { AccountUpdate, type AccountListItem } from '@weir/shared/people/accounts';
import { CreditCreate } from '@weir/shared/money/credits';
import { GroupAccountsCreate } from '@weir/shared/catalog/groups';
import { KeyUpdate } from '@weir/shared/people/keys';
import {
  amount,
  amountOf,
  amountOrNull,
  chosen,
  option,
  whole,
  wholeOrNull,
  words,
  wordsOf,
} from '../../core/forms/controls';
import type { Option, Translate } from '../../core/i18n/i18n';
import type { Loadable } from '../../core/state/loadable';
import type { BulkChanges } from '../../design/bulk/bulk-changes';
import type { BulkAct } from '../../design/table/bulk-bar';

interface AccountBulk {
  readonly bulk: BulkChanges<AccountListItem>;
  readonly groups: Loadable<readonly Option[]>;
  readonly t: Translate;
}

function setStatus({ bulk, t }: AccountBulk, status: 'active' | 'suspended'): Promise<void> {
  const isOff = status === 'suspended';
  return bulk.open({
    heading: (count) => t(isOff ? 'accounts.suspendTitle' : 'accounts.reactivateTitle', { count }),
    text: t(isOff ? 'accounts.suspendText' : 'accounts.reactivateText'),
    action: t(isOff ? 'accounts.suspend' : 'accounts.reactivate'),
    destructive: isOff,
    change: () => ({ status }),
  });
}

/** Gives a group, with a price of the account's own where one is entered, or takes it away. */
function setGroup({ bulk, groups, t }: AccountBulk): Promise<void> {
  if (groups.value() === undefined) void groups.load();
  const act = option<'give' | 'take'>('give');
  const groupId = chosen(KeyUpdate.properties.groupId, { required: true });
  const multiplier = amount(GroupAccountsCreate.properties.multiplier);
  return bulk.open({
    heading: (count) => t('accounts.groupTitle', { count }),
    text: t('accounts.groupText'),
    action: t('accounts.groupSave'),
    form: {
      group: new FormGroup({ act, groupId, multiplier }),
      fields: [
        {
          kind: 'choice',
          control: act,
          label: t('accounts.groupAct'),
          options: () => [
            { value: 'give', label: t('accounts.groupGive') },
            { value: 'take', label: t('accounts.groupTake') },
          ],
        },
        {
          kind: 'choice',
          control: groupId,
          label: t('keys.group'),
          options: () => groups.value() ?? [],
        },
        {
          kind: 'line',
          control: multiplier,
          label: t('bulk.field.multiplier'),
          hint: t('accounts.groupMultiplierHint'),
          optional: true,
        },
      ],
    },
    change: () => ({
      group:
        act.value === 'take'
          ? { groupId: groupId.value, take: true }
          : { groupId: groupId.value, multiplier: amountOrNull(multiplier) },
    }),
  });
}

function setConcurrency({ bulk, t }: AccountBulk): Promise<void> {
  const concurrencyMax = whole(AccountUpdate.properties.concurrencyMax);
  return bulk.open({
    heading: (count) => t('accounts.concurrencyTitle', { count }),
    text: t('accounts.concurrencyText'),
    action: t('keys.limitsSave'),
    form: {
      group: new FormGroup({ concurrencyMax }),
      fields: [
        { kind: 'line', control: concurrencyMax, label: t('keys.concurrency'), optional: true },
      ],
    },
    change: () => ({ concurrencyMax: wholeOrNull(concurrencyMax) }),
  });
}

function addCredit({ bulk, t }: AccountBulk): Promise<void> {
  const amountUsd = amount(CreditCreate.properties.amountUsd, { required: true });
  const reason = words(CreditCreate.properties.reason, { required: true });
  return bulk.open({
    heading: (count) => t('accounts.creditManyTitle', { count }),
    text: t('accounts.creditManyText'),
    action: t('accounts.creditMany'),
    isFinal: true,
    form: {
      group: new FormGroup({ amountUsd, reason }),
      fields: [
        { kind: 'line', control: amountUsd, label: t('credit.amount'), prefix: '$' },
        { kind: 'line', control: reason, label: t('credit.reason') },
      ],
    },
    change: () => ({ credit: { amountUsd: amountOf(amountUsd), reason: wordsOf(reason) } }),
  });
}

/** Returns the changes that selected accounts can have. */
export function accountBulkActs(accounts: AccountBulk): BulkAct[] {
  return [
    { label: 'accounts.reactivate', run: () => setStatus(accounts, 'active') },
    { label: 'accounts.suspend', run: () => setStatus(accounts, 'suspended') },
    { label: 'accounts.groupAction', run: () => setGroup(accounts) },
    { label: 'accounts.concurrencyAction', run: () => setConcurrency(accounts) },
    { label: 'accounts.creditAction', run: () => addCredit(accounts) },
  ];
}
