import type { BulkReason } from '@weir/shared/api/bulk-changes';
import { readableField } from '../../core/format/readable';
import type { PlainKey, Translate } from '../../core/i18n/i18n';

/** Names of the fields of bulk changes. Others are shown as the API names them. */
const FIELDS: Readonly<Record<string, PlainKey>> = {
  status: 'keys.status',
  group: 'keys.group',
  expiresAt: 'keys.expiresAt',
  budgetTotalUsd: 'keys.budgetTotal',
  budgetDayUsd: 'keys.budgetDay',
  budgetMonthUsd: 'keys.budgetMonth',
  rpm: 'keys.rpm',
  tpm: 'keys.tpm',
  concurrencyMax: 'keys.concurrency',
  groups: 'bulk.field.groups',
  multiplier: 'bulk.field.multiplier',
  priority: 'bulk.field.priority',
  weight: 'bulk.field.weight',
  bookBalanceUsd: 'bulk.field.balance',
  inputUsd: 'bulk.field.input',
  outputUsd: 'bulk.field.output',
  cachedInputUsd: 'bulk.field.cachedInput',
  cacheWriteUsd: 'bulk.field.cacheWrite',
  perCallUsd: 'bulk.field.perCall',
  longContext: 'bulk.field.longContext',
  extra: 'bulk.field.extra',
  effectiveFrom: 'bulk.field.effectiveFrom',
};

const STATUSES: Readonly<Record<string, PlainKey>> = {
  active: 'state.active',
  disabled: 'state.disabled',
  suspended: 'bulk.suspended',
};

export function fieldWords(field: string, t: Translate): string {
  const key = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  return key === undefined ? readableField(field) : t(key);
}

/** The words of a status; anything else stays as it is. */
export function valueWords(field: string, value: string, t: Translate): string {
  const key = field === 'status' && Object.hasOwn(STATUSES, value) ? STATUSES[value] : undefined;
  return key === undefined ? value : t(key);
}

export function reasonWords(reason: BulkReason, t: Translate): string {
  return t(`bulk.reason.${reason}`);
}
