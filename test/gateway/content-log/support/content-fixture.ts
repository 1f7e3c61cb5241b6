import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { CapturedContent } from '../../../../gateway/content-log/captured-content.ts';
import { startContentWriter } from '../../../../gateway/content-log/content-writer.ts';
import type { ContentLimits } from '../../../../gateway/content-log/enter-content.ts';
import { openContent } from '../../../../gateway/content-log/seal-content.ts';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { seedAccount, seedKey, TEST_SECRETS } from '../../../support/seed.ts';

export const BYTES_MAX = 4_096;
const LIMITS: ContentLimits & { readonly bytesMax: number } = {
  daysMax: 30,
  accountDayBytesMax: 1_000_000,
  bytesMax: BYTES_MAX,
};

export interface KeptKey {
  readonly keyId: string;
  readonly key: string;
  readonly accountId: string;
  readonly memberId: string;
}

/** Makes a key of a member who keeps its content for a week. */
export async function keepContentOf(
  pool: pg.Pool,
  { keyId, accountId }: { readonly keyId: string; readonly accountId: string },
): Promise<string> {
  const userId = randomUUID();
  await pool.query(
    `insert into users (id, account_id, email, password_hash) values ($1, $2, $3, '')`,
    [userId, accountId, `${userId}@example.org`],
  );
  const member = await pool.query<{ id: string }>(
    'select id::text as id from members where user_id = $1',
    [userId],
  );
  const memberId = member.rows[0]?.id ?? '';
  await pool.query(
    `update keys set member_id = $2::bigint, content_log = true, content_log_days = 7,
       content_log_member_id = $2::bigint where id = $1`,
    [keyId, memberId],
  );
  return memberId;
}

export async function newKeptKey(pool: pg.Pool, groupId: string): Promise<KeptKey> {
  const accountId = await seedAccount(pool, 1);
  const { keyId, key } = await seedKey(pool, accountId, groupId);
  return { keyId, key, accountId, memberId: await keepContentOf(pool, { keyId, accountId }) };
}

/** Content of a key as a thread hands it on. */
export function captured(
  { keyId, accountId }: Pick<KeptKey, 'keyId' | 'accountId'>,
  change: { readonly request?: string; readonly reply?: string; readonly atMs?: number } = {},
): CapturedContent & { readonly bodies: object } {
  const { request = '{"model":"m"}', reply = '{"id":"r"}', atMs = Date.now() } = change;
  const bodies = {
    request: new TextEncoder().encode(request),
    reply: new TextEncoder().encode(reply),
  };
  return {
    requestId: newRequestId(atMs),
    createdAtMs: atMs,
    keyId,
    accountId,
    bodies,
    requestBytes: bodies.request.length,
    replyBytes: bodies.reply.length,
  };
}

/** Writes content as the main thread does. Returns what became of it. */
export async function write(
  pool: Pick<pg.Pool, 'query'>,
  contents: readonly CapturedContent[],
  limits: Partial<typeof LIMITS> = {},
): Promise<Readonly<Record<string, number>>> {
  const writer = startContentWriter({
    pool,
    secrets: TEST_SECRETS,
    logger: SILENT_LOG,
    ...LIMITS,
    ...limits,
  });
  for (const content of contents) writer.add(content);
  await writer.stop(60_000);
  return writer.status().outcomes;
}

export interface StoredContent {
  readonly outcome: string;
  readonly cutAtBytes: number | null;
  readonly requestBytes: number;
  readonly replyBytes: number;
  readonly request: string | null;
  readonly reply: string | null;
}

/** Reads what is stored of a request; undefined when there is nothing. */
export async function stored(
  pool: Pick<pg.Pool, 'query'>,
  requestId: string,
): Promise<StoredContent | undefined> {
  const { rows } = await pool.query<
    Omit<StoredContent, 'request' | 'reply'> & {
      readonly accountId: string;
      readonly sealId: string | null;
      readonly sealed: Buffer | null;
    }
  >(
    `select account_id as "accountId", outcome, request_bytes as "requestBytes", reply_bytes as "replyBytes",
       cut_at_bytes as "cutAtBytes", seal_id as "sealId", sealed from content_records where request_id = $1`,
    [requestId],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { accountId, sealId, sealed, ...rest } = row;
  if (sealId === null || sealed === null) return { ...rest, request: null, reply: null };
  const opened = await openContent(TEST_SECRETS, { requestId, accountId }, { sealId, sealed });
  return {
    ...rest,
    request: opened?.request.toString() ?? null,
    reply: opened?.reply.toString() ?? null,
  };
}
