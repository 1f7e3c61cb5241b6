import type { ContentOutcome } from '@weir/shared/watch/content-outcomes';
import type pg from 'pg';
import { queryWithin } from '../stores/postgres/connect.ts';
import type { CapturedContent } from './captured-content.ts';
import { contentKeptSince } from './content-kept.ts';
import type { SealedContent } from './seal-content.ts';

/** Many times what a batch takes. */
const WRITE_TIMEOUT_MS = 10_000;

/** Takes bytes of an account's quota of the day. No row: that would be more than it has. */
const TAKE_QUOTA = `
  insert into content_log_volumes as known (account_id, day, bytes)
  values ($1, (now() at time zone 'UTC')::date, $2)
  on conflict (account_id, day) do update set bytes = known.bytes + excluded.bytes
    where known.bytes + excluded.bytes <= $3
  returning bytes`;

/**
 * The key is locked: a change that switches its log off sees what has been entered, and nothing is
 * entered after it. One key for each statement, so that no two of them wait for each other.
 */
const ENTER = `
  with k as (
    select k.id, k.account_id, ${contentKeptSince('$2')} as since from keys k
    where k.id = $1 and k.content_log and k.status <> 'deleted' for share)
  insert into content_records (request_id, created_at, account_id, key_id, outcome,
    request_bytes, reply_bytes, cut_at_bytes, seal_id, sealed)
  select c.request_id, from_ms(c.at), k.account_id, k.id, c.outcome,
    c.request_bytes, c.reply_bytes, c.cut_at_bytes, c.seal_id, c.sealed
  from k, unnest($3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::integer[], $9::text[], $10::bytea[])
    as c (request_id, at, outcome, request_bytes, reply_bytes, cut_at_bytes, seal_id, sealed)
  where from_ms(c.at) >= k.since
  on conflict do nothing`;

/** Content of one request, ready to be stored. */
export interface ContentEntry extends Omit<CapturedContent, 'bodies'> {
  readonly outcome: ContentOutcome;
  /** Where the bodies were cut; null where nothing was. */
  readonly cutAtBytes: number | null;
  readonly sealed: SealedContent | null;
}

export interface ContentLimits {
  readonly daysMax: number;
  /** Stored bytes of an account in a day. */
  readonly accountDayBytesMax: number;
}

/**
 * Enters content of one key. Nothing is stored for a key whose log was switched off meanwhile.
 * Returns the entries with the outcome that they have; rejects when PostgreSQL is away, and may
 * then be called again.
 */
export async function enterContent(
  pool: Pick<pg.Pool, 'query'>,
  entries: readonly ContentEntry[],
  { daysMax, accountDayBytesMax }: ContentLimits,
): Promise<readonly ContentEntry[]> {
  const [first] = entries;
  if (first === undefined) return entries;
  const bytes = entries.reduce((sum, { sealed }) => sum + (sealed?.sealed.length ?? 0), 0);
  const query = (text: string, values: unknown[]) =>
    pool.query(queryWithin(WRITE_TIMEOUT_MS, text, values));
  const quota = [first.accountId, bytes, accountDayBytesMax];
  const fits = bytes === 0 || (await query(TAKE_QUOTA, quota)).rowCount !== 0;
  const entered = fits ? entries : entries.map(withoutContent);
  const column = (pick: (entry: ContentEntry) => unknown): unknown[] => entered.map(pick);
  await query(ENTER, [
    first.keyId,
    daysMax,
    column(({ requestId }) => requestId),
    column(({ createdAtMs }) => createdAtMs),
    column(({ outcome }) => outcome),
    column(({ requestBytes }) => requestBytes),
    column(({ replyBytes }) => replyBytes),
    column(({ cutAtBytes }) => cutAtBytes),
    column(({ sealed }) => sealed?.sealId ?? null),
    column(({ sealed }) => sealed?.sealed ?? null),
  ]);
  return entered;
}

function withoutContent(entry: ContentEntry): ContentEntry {
  if (entry.sealed === null) return entry;
  return { ...entry, outcome: 'quota_reached', cutAtBytes: null, sealed: null };
}
