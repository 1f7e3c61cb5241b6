import { createHash } from 'node:crypto';
import { hasSecret } from '@weir/shared/redact-secrets';
import type { RouteId } from '@weir/shared/api/admin-routes';
import { ledgerNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { seal, unseal } from '../../platform/secrets/secrets.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { onlyRow } from './transaction.ts';
import type { AdminContext } from './context.ts';

/**
 * Time for which an unfinished request blocks others with its key; a crashed one can be repeated
 * afterwards.
 */
const LOCK_SECONDS = 60;

/** Keys are remembered at least this long. */
export const IDEMPOTENCY_MEMORY_DAYS = 7;

const KEY_SHAPE = /^[\x21-\x7e]{8,128}$/;

/**
 * $5 names this attempt: it becomes the operation's id on the first one, and the lock's on every
 * one that may run.
 */
const CLAIM = `
  insert into idempotency_keys as known
    (user_id, route, key, request_digest, operation_id, lock_id, locked_until)
  values ($1, $2, $3, $4, $5, $5, now() + make_interval(secs => $6))
  on conflict (user_id, route, key) do update
    set (lock_id, locked_until) = (
      select case when free then excluded.lock_id else known.lock_id end,
             case when free then excluded.locked_until else known.locked_until end
      from (select known.reply_status is null and known.request_digest = excluded.request_digest
                   and (known.locked_until is null or known.locked_until < now()) as free) as state)
  returning request_digest as "requestDigest", operation_id as "operationId", reply_status as "replyStatus",
    reply_sealed as "replySealed", lock_id = $5 as locked`;

const REMEMBER = `
  update idempotency_keys set reply_status = $4, reply_sealed = $5, locked_until = null
  where user_id = $1 and route = $2 and key = $3`;

const UNLOCK = `
  update idempotency_keys set locked_until = null where user_id = $1 and route = $2 and key = $3`;

interface Claimed {
  readonly requestDigest: Buffer;
  readonly operationId: string;
  readonly replyStatus: number | null;
  readonly replySealed: string | null;
  readonly locked: boolean | null;
}

export interface MoneyRequest {
  readonly userId: string;
  readonly route: RouteId;
  readonly key: string | undefined;
  /** Parameters and body: the same key with another content is refused. */
  readonly content: unknown;
}

/**
 * `replay`: the answer of the first time. `run`: do it, under this id, then `remember` or `unlock`.
 */
export type IdempotencyClaim =
  | { readonly kind: 'replay'; readonly status: number; readonly reply: unknown }
  | {
      readonly kind: 'run';
      readonly operationId: string;
      remember(status: number, reply: unknown): Promise<void>;
      unlock(): Promise<void>;
    };

function readKey(key: string | undefined): string | Refusal {
  if (key === undefined) {
    return refuse(
      'idempotency_key_required',
      'Send an Idempotency-Key header with a value of your own for each purchase or batch, such as a UUID, and the same one when you repeat it.',
    );
  }
  // Random enough to be a secret, or one in the wrong header: it is stored as a digest.
  if (KEY_SHAPE.test(key)) return hasSecret(key) ? `sha256:${sha256(key).toString('hex')}` : key;
  return refuse('invalid_value', 'An Idempotency-Key has 8 to 128 visible ASCII characters.', {
    param: 'Idempotency-Key',
  });
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * Decides whether a money request runs, is answered from memory, or has to wait for its first run.
 */
export async function claimIdempotencyKey(
  context: AdminContext,
  request: MoneyRequest,
): Promise<IdempotencyClaim | Refusal> {
  const key = readKey(request.key);
  if (typeof key !== 'string') return key;
  const digest = sha256(JSON.stringify(request.content));
  const { rows } = await context.pool.query<Claimed>(CLAIM, [
    request.userId,
    request.route,
    key,
    digest,
    newRequestId(ledgerNowMs()),
    LOCK_SECONDS,
  ]);
  const claimed = onlyRow(rows);
  if (!claimed.requestDigest.equals(digest)) {
    return refuse(
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another request before. Use a new one for a new request.',
    );
  }
  if (claimed.replyStatus !== null && claimed.replySealed !== null) {
    const reply: unknown = JSON.parse(unseal(context.secrets, claimed.replySealed));
    return { kind: 'replay', status: claimed.replyStatus, reply };
  }
  if (claimed.locked !== true) {
    return refuse('idempotency_in_progress', undefined, { retryAfterMs: 1_000 });
  }
  const where = [request.userId, request.route, key];
  return {
    kind: 'run',
    operationId: claimed.operationId,
    async remember(status, reply) {
      const sealed = seal(context.secrets, JSON.stringify(reply));
      await context.pool.query(REMEMBER, [...where, status, sealed]);
    },
    async unlock() {
      await context.pool.query(UNLOCK, where);
    },
  };
}
