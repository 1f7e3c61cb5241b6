import type { AccountingMailView } from '@weir/shared/money/accounting';

/** The files of one month for one address, as they wait in the database. */
export interface AccountingMailRow {
  readonly id: string;
  readonly month: string;
  readonly address: string;
  readonly status: AccountingMailView['status'];
  readonly attempts: number;
  readonly error: string | null;
  readonly sentAt: Date | null;
}

export const MAIL_COLUMNS = `
  id, to_char(month, 'YYYY-MM') as month, address, status, attempts, error, sent_at as "sentAt"`;

export function accountingMailView({ sentAt, ...row }: AccountingMailRow): AccountingMailView {
  return {
    id: row.id,
    month: row.month,
    address: row.address,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    sentAt: sentAt?.toISOString() ?? null,
  };
}
