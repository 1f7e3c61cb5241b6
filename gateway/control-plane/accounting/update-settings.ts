import type {
  AccountingSettingsUpdate,
  AccountingSettingsView,
} from '@weir/shared/money/accounting';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import { inTransaction, onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { refuseUnprintable } from '../invoices/billing-details.ts';
import {
  lockAccountingSettings,
  readAccountingSettings,
  type AccountingSettings,
} from './settings-row.ts';

const PPM_PER_PERCENT = 10_000;

export function accountingSettingsView(settings: AccountingSettings): AccountingSettingsView {
  const { taxRatePpm, mailsSince, updatedAt, ...others } = settings;
  return {
    ...others,
    mailAddresses: [...settings.mailAddresses],
    taxRatePercent: String(taxRatePpm / PPM_PER_PERCENT),
    mailsEnabled: mailsSince !== null,
    updatedAt: updatedAt.toISOString(),
  };
}

/** The schema has checked the shape; four decimals of a percent are whole parts per million. */
function ppmOf(percent: string | undefined): number | undefined {
  return percent === undefined ? undefined : Math.round(Number(percent) * PPM_PER_PERCENT);
}

const IS_ZONE = `
  select exists (select from pg_timezone_names where name = $1 and name !~ '^(posix|right)/') as known`;

async function refuseZone(db: Database, zone: string | undefined): Promise<Refusal | undefined> {
  if (zone === undefined) return undefined;
  const { rows } = await db.query<{ known: boolean }>(IS_ZONE, [zone]);
  if (onlyRow(rows).known) return undefined;
  return refuse(
    'invalid_value',
    `"${zone}" is no time zone. Use a name such as Europe/Berlin or UTC.`,
    {
      param: 'timeZone',
    },
  );
}

/** What is switched on must have all it needs: an invoice without its issuer is none. */
function refuseIncomplete(settings: AccountingSettings): Refusal | undefined {
  const { invoicesEnabled, issuerName, issuerAddress, mailsSince, mailAddresses } = settings;
  const lacks = (param: keyof AccountingSettingsUpdate, message: string) =>
    refuse('invalid_value', message, { param });
  if (invoicesEnabled && issuerName.trim() === '') {
    return lacks('issuerName', 'Invoices need the name of who issues them.');
  }
  if (invoicesEnabled && issuerAddress.trim() === '') {
    return lacks('issuerAddress', 'Invoices need the address of who issues them.');
  }
  if (settings.taxRatePpm > 0 && settings.taxLabel.trim() === '') {
    return lacks('taxLabel', 'Name the tax, such as VAT, or set its rate to 0.');
  }
  if (mailsSince !== null && mailAddresses.length === 0) {
    return lacks('mailAddresses', 'Enter the addresses that get the files of each month.');
  }
  return undefined;
}

export async function updateAccountingSettings(
  call: Call<'updateAccountingSettings'>,
): Answer<'updateAccountingSettings'> {
  const { body, context } = call;
  const { issuerName, issuerAddress, issuerTaxId, taxLabel, footer } = body;
  const printed = { issuerName, issuerAddress, issuerTaxId, taxLabel, footer };
  const refused =
    (await refuseZone(context.pool, body.timeZone)) ??
    (await refuseUnprintable(context.printer, printed));
  if (refused !== undefined) return refused;
  const changes = given([
    ['time_zone', body.timeZone],
    ['invoices_enabled', body.invoicesEnabled],
    ['issuer_name', issuerName],
    ['issuer_address', issuerAddress],
    ['issuer_tax_id', issuerTaxId],
    ['tax_label', taxLabel],
    ['tax_rate_ppm', ppmOf(body.taxRatePercent)],
    ['invoice_prefix', body.invoicePrefix],
    ['credit_note_prefix', body.creditNotePrefix],
    ['footer', footer],
    ['mail_addresses', body.mailAddresses],
  ]);
  return inTransaction(context.pool, async (client) => {
    const before = accountingSettingsView(await lockAccountingSettings(client));
    const stale = call.refuseStale(before);
    if (stale !== undefined) return stale;
    const { sql, values } = setClause(changes, 1);
    await client.query(`update accounting_settings set ${sql}`, [...values]);
    if (body.mailsEnabled !== undefined) await client.query(MAILS, [body.mailsEnabled]);
    const changed = await readAccountingSettings(client);
    const incomplete = refuseIncomplete(changed);
    if (incomplete !== undefined) return incomplete;
    const after = accountingSettingsView(changed);
    const change = { kind: 'accounting_settings', id: 'accounting_settings', before, after };
    return { view: after, audit: await audit(client, call, change) };
  });
}

/** Switched on again while it is on, nothing changes: no month is mailed twice or left out. */
const MAILS = `
  update accounting_settings set mails_since = case when $1 then coalesce(mails_since, now()) end`;
