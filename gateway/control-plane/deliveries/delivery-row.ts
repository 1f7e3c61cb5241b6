import type { AlertTargetKind } from '@weir/shared/watch/alerts';
import { redactSecrets } from '@weir/shared/redact-secrets';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { Database } from '../api/transaction.ts';

/** A message as it waits in the database. */
export interface Delivery {
  readonly id: string;
  /** Null for a notice to a customer. */
  readonly eventId: string | null;
  /** Null for a notice, and once the target is deleted. */
  readonly targetId: string | null;
  readonly via: AlertTargetKind;
  /** For mail. A webhook's whole address is sealed at its target. */
  readonly address: string;
  readonly subject: string;
  readonly body: string;
  /** Including the one that this row was read for. */
  readonly attempts: number;
}

export type NewDelivery = Omit<Delivery, 'id' | 'attempts'> & { readonly accountId: string | null };

export const DELIVERY_COLUMNS = `
  id, event_id as "eventId", target_id as "targetId", via, address, subject, body, attempts`;

const INSERT = `
  insert into deliveries (id, event_id, target_id, account_id, via, address, subject, body)
  select d.id, d."eventId", d."targetId", d."accountId", d.via, d.address, d.subject, d.body
  from jsonb_to_recordset($1::jsonb) as d(id uuid, "eventId" uuid, "targetId" uuid, "accountId" uuid, via text,
    address text, subject text, body text)`;

/** Keeps messages to be sent, in the transaction that found out what they say. */
export async function insertDeliveries(
  db: Database,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({
    ...delivery,
    // Names that were entered before such names were refused may have a key in them.
    subject: redactSecrets(delivery.subject),
    body: redactSecrets(delivery.body),
    id: newRequestId(Date.now()),
  }));
  await db.query(INSERT, [JSON.stringify(rows)]);
}
