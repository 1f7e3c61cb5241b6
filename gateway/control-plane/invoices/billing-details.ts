import type { BillingDetails } from '@weir/shared/money/invoices';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { inTransaction, lockRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import type { InvoicePrinter } from './print/invoice-printer.ts';

const NONE: BillingDetails = { name: '', address: '', taxId: '' };

const READ = `
  select name, address, tax_id as "taxId" from billing_details where account_id = $1`;

const WRITE = `
  insert into billing_details (account_id, name, address, tax_id) values ($1, $2, $3, $4)
  on conflict (account_id) do update
    set name = excluded.name, address = excluded.address, tax_id = excluded.tax_id, updated_at = now()`;

export async function readBillingDetails(db: Database, accountId: string): Promise<BillingDetails> {
  return (await db.query<BillingDetails>(READ, [accountId])).rows[0] ?? NONE;
}

/** More would not fit on the page. */
const LINES_MAX = 8;

/** A box in place of a letter would make an invoice useless, and it can never be changed. */
export async function refuseUnprintable(
  printer: InvoicePrinter,
  texts: Readonly<Record<string, string | undefined>>,
): Promise<Refusal | undefined> {
  for (const [param, text = ''] of Object.entries(texts)) {
    if (text.split('\n').length > LINES_MAX) {
      return refuse('invalid_value', `At most ${String(LINES_MAX)} lines fit on an invoice.`, {
        param,
      });
    }
    const missing = await printer.unprintable(text);
    if (typeof missing !== 'string') return missing;
    if (missing === '') continue;
    return refuse(
      'invalid_value',
      `Invoices cannot show these characters: ${missing}. Write them with Latin, Greek, Cyrillic or common Chinese characters.`,
      { param },
    );
  }
  return undefined;
}

export async function updateBillingDetails(
  call: Call<'updateBillingDetails'>,
): Answer<'updateBillingDetails'> {
  const { context, caller, body } = call;
  const { accountId } = caller;
  const unprintable = await refuseUnprintable(context.printer, { ...body });
  if (unprintable !== undefined) return unprintable;
  return inTransaction(context.pool, async (client) => {
    await lockRow(client, 'accounts', accountId);
    const before = await readBillingDetails(client, accountId);
    const { name, address, taxId } = { ...before, ...body };
    await client.query(WRITE, [accountId, name, address, taxId]);
    const after = await readBillingDetails(client, accountId);
    const change = { kind: 'billing_details', id: accountId, before, after };
    return { view: after, audit: await audit(client, call, change) };
  });
}
