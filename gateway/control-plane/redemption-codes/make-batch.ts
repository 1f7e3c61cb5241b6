import { Readable } from 'node:stream';
import { csvHeader, csvLine } from '@weir/shared/csv';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import { seal, unseal } from '../../platform/secrets/secrets.ts';
import { amountFromWire } from '../api/amount.ts';
import type { Answer, Call } from '../api/call.ts';
import { digestOfCode, newCode } from '../api/callers/opaque-token.ts';
import { startCsv } from '../api/lists/csv.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { findPlan } from '../plans/plan-row.ts';
import { batchView, CODE_STATUS, findBatch, NO_BATCH, type CodeRow } from './code-row.ts';

/** Four groups of five letters carry 100 bits. */
const CODE_GROUPS = 4;
const HINT_LETTERS = 4;

const INSERT_BATCH = `
  insert into redemption_batches (id, name, kind, amount_nano_usd, plan_id, expires_at)
  values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing`;

const INSERT_CODES = `
  insert into redemption_codes (id, batch_id, digest, sealed, hint)
  select id, $1, digest, sealed, hint
  from unnest($2::uuid[], $3::bytea[], $4::text[], $5::text[]) as c(id, digest, sealed, hint)`;

const EXPORT = `
  select c.sealed, ${CODE_STATUS} as status, c.redeemed_at as "redeemedAt", b.expires_at as "expiresAt"
  from redemption_codes c join redemption_batches b on b.id = c.batch_id
  where c.batch_id = $1 order by c.id`;

interface Value {
  readonly amountNanoUsd: number | null;
  readonly planId: string | null;
}

async function readValue(
  db: Database,
  body: Call<'createRedemptionBatch'>['body'],
): Promise<Value | Refusal> {
  if (body.kind === 'plan') {
    const plan = body.planId === undefined ? undefined : await findPlan(db, body.planId);
    if (plan === undefined) {
      return refuse('invalid_value', 'Name the plan that the codes give.', { param: 'planId' });
    }
    return { amountNanoUsd: null, planId: plan.id };
  }
  const amountNanoUsd = amountFromWire(body.amountUsd, 'amountUsd');
  if (typeof amountNanoUsd === 'object') return amountNanoUsd;
  if (amountNanoUsd === undefined || amountNanoUsd === 0) {
    return refuse('invalid_value', 'Name the amount that each code gives.', { param: 'amountUsd' });
  }
  return { amountNanoUsd, planId: null };
}

function refuseExpiry(expiresAt: string | null | undefined): Refusal | undefined {
  if (expiresAt == null || Date.parse(expiresAt) > databaseNowMs()) return undefined;
  return refuse('invalid_value', 'The codes would have expired already.', { param: 'expiresAt' });
}

/**
 * Makes a batch. The operation's id is the batch's, so a repeat after a crash cannot make a second
 * one.
 */
export function createRedemptionBatch(
  call: Call<'createRedemptionBatch'>,
): Answer<'createRedemptionBatch'> {
  const { context, body, operationId } = call;
  return inTransaction(context.pool, async (client) => {
    const value = refuseExpiry(body.expiresAt) ?? (await readValue(client, body));
    if ('refused' in value) return value;
    const made = await client.query(INSERT_BATCH, [
      operationId,
      body.name,
      body.kind,
      value.amountNanoUsd,
      value.planId,
      body.expiresAt ?? null,
    ]);
    if (made.rowCount === 0) {
      return refuse('state_conflict', 'This batch was made before. Export its codes.');
    }
    const codes = Array.from({ length: body.count }, () => newCode(CODE_GROUPS));
    const nowMs = Date.now();
    await client.query(INSERT_CODES, [
      operationId,
      codes.map(() => newRequestId(nowMs)),
      codes.map(digestOfCode),
      codes.map((code) => seal(context.secrets, code)),
      codes.map((code) => code.slice(-HINT_LETTERS)),
    ]);
    const batch = await findBatch(client, operationId);
    if (batch === undefined) throw new Error('a batch that was made is gone');
    const after = batchView(batch);
    const change = { kind: 'redemption_batch', id: operationId, before: null, after };
    return { view: { ...after, codes }, audit: await audit(client, call, change) };
  });
}

/**
 * The codes of a batch in clear. Reading them is an admin act like handing out money, so it is
 * audited.
 */
export async function exportRedemptionBatch(
  call: Call<'exportRedemptionBatch'>,
): Answer<'exportRedemptionBatch'> {
  const { context, params, reply } = call;
  const batch = await findBatch(context.pool, params.batchId);
  if (batch === undefined) return NO_BATCH;
  type ExportRow = Pick<CodeRow, 'status' | 'redeemedAt' | 'expiresAt'> & { sealed: string };
  const { rows } = await context.pool.query<ExportRow>(EXPORT, [batch.id]);
  const lines = rows.map(({ sealed, status, redeemedAt, expiresAt }) =>
    csvLine([
      unseal(context.secrets, sealed),
      status,
      redeemedAt?.toISOString() ?? '',
      expiresAt?.toISOString() ?? '',
    ]),
  );
  const receipt = await audit(context.pool, call, {
    kind: 'redemption_batch',
    id: batch.id,
    before: null,
    after: { exported: rows.length },
  });
  startCsv(reply, `weir-codes-${batch.id}.csv`);
  const head = csvHeader(['code', 'status', 'redeemed_at', 'expires_at']);
  return { view: Readable.from([head, ...lines]), audit: receipt };
}
