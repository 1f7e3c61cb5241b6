import type { LearnedRefusalView } from '@weir/shared/catalog/targets';
import type { LearnedField } from '../../catalog/snapshot.ts';
import type { Database } from '../api/transaction.ts';

export interface LearnedRefusalRow {
  readonly id: string;
  readonly upstreamModel: string;
  readonly protocol: LearnedRefusalView['protocol'];
  readonly field: string;
  readonly accountId: string | null;
  readonly message: string;
  readonly learnedAt: Date;
  readonly expiresAt: Date | null;
}

const SELECT = `
  select id, upstream_model as "upstreamModel", protocol, field, account_id as "accountId", message,
    learned_at as "learnedAt", expires_at as "expiresAt"
  from learned_refusals
  where channel_id = $1 and (expires_at is null or expires_at > now())`;

/** Returns what is learned of a channel now. */
export async function readLearnedRefusals(
  db: Database,
  channelId: string,
): Promise<LearnedRefusalRow[]> {
  const { rows } = await db.query<LearnedRefusalRow>(`${SELECT} order by field`, [channelId]);
  return rows;
}

/** @returns undefined where there is none, or none any more */
export async function findLearnedRefusal(
  db: Database,
  { channelId, refusalId }: { readonly channelId: string; readonly refusalId: string },
): Promise<LearnedRefusalRow | undefined> {
  const { rows } = await db.query<LearnedRefusalRow>(`${SELECT} and id = $2 for update`, [
    channelId,
    refusalId,
  ]);
  return rows[0];
}

export function learnedRefusalView(row: LearnedRefusalRow): LearnedRefusalView {
  const { id, protocol, field, message, accountId, learnedAt, expiresAt } = row;
  return {
    id,
    protocol,
    field,
    message,
    isForAll: accountId === null || expiresAt === null,
    learnedAt: learnedAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** As routes have it, of all accounts: a test of the channel is no customer's request. */
export function learnedField({ upstreamModel, protocol, field }: LearnedRefusalRow): LearnedField {
  return { upstreamModel, protocol, field, accountId: null, untilMs: null };
}
