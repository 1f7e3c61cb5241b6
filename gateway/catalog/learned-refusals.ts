import type pg from 'pg';
import { newRequestId } from '../platform/ids/request-id.ts';
import type { UpstreamProtocolId } from '../protocols/protocol.ts';

/** A field that a target refuses by name, and without which it has taken the same request. */
export interface LearnedRefusal {
  readonly channelId: string;
  /** The upstream's name of the model. */
  readonly upstreamModel: string;
  /** The protocol of the upstream. */
  readonly protocol: UpstreamProtocolId;
  /** Its path in the upstream's body, as `ADVISORY_FIELDS` has it. */
  readonly field: string;
  /** The account whose request was refused. */
  readonly accountId: string;
  /** The upstream's words, without secrets and prompts. */
  readonly message: string;
}

/**
 * An account's refusal holds for that account; with the second account's it holds for all. One
 * account's requests could otherwise take a field from those of others: an upstream may refuse a
 * field for what else is in the request.
 */
const KEEP = `
  with expired as (
    delete from learned_refusals where channel_id = $2 and expires_at <= now()
      and (upstream_model, protocol, field) <> ($3, $4, $5)
  )
  insert into learned_refusals as known
    (id, channel_id, upstream_model, protocol, field, account_id, message, expires_at)
  select $1, id, $3, $4, $5, $6, $7, now() + interval '1 day' from channels where id = $2
  on conflict (channel_id, upstream_model, protocol, field) do update set
    account_id = case when known.expires_at <= now() then excluded.account_id end,
    message = excluded.message,
    learned_at = case when known.expires_at <= now() then now() else known.learned_at end,
    expires_at = case when known.expires_at is null then null else excluded.expires_at end
  where known.expires_at <= now() or known.account_id <> excluded.account_id`;

/** Keeps a learned refusal for a day, for all gateways; the change feed brings it to them. */
export async function keepLearned(
  pool: Pick<pg.Pool, 'query'>,
  { channelId, upstreamModel, protocol, field, accountId, message }: LearnedRefusal,
): Promise<void> {
  const id = newRequestId(Date.now());
  await pool.query(KEEP, [id, channelId, upstreamModel, protocol, field, accountId, message]);
}
