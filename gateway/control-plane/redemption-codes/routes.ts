import type { BULK_ROUTES } from '@weir/shared/api/admin-routes/bulk-changes';
import type { CODE_ROUTES } from '@weir/shared/api/admin-routes/codes';
import type { RedemptionBatchView, RedemptionCodeView } from '@weir/shared/money/redemption-codes';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { readCounted, readSorted } from '../api/lists/sorted-list.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import {
  batchView,
  codeView,
  findBatch,
  NO_BATCH,
  SELECT_CODES,
  type CodeRow,
} from './code-row.ts';
import { changeRedemptionCodesInBulk } from './bulk-change-codes.ts';
import { BATCH_LIST, CODE_LIST } from './code-lists.ts';
import { createRedemptionBatch, exportRedemptionBatch } from './make-batch.ts';
import { redeemCode } from './redeem.ts';

type Table = Pick<
  typeof CODE_ROUTES,
  | 'redeemCode'
  | 'listRedemptionBatches'
  | 'createRedemptionBatch'
  | 'getRedemptionBatch'
  | 'updateRedemptionBatch'
  | 'exportRedemptionBatch'
  | 'listRedemptionCodes'
  | 'updateRedemptionCode'
> &
  Pick<typeof BULK_ROUTES, 'changeRedemptionCodesInBulk'>;

export const redemptionHandlers: HandlersOf<Table> = {
  redeemCode,
  listRedemptionBatches: ({ context, query }) =>
    readSorted(context.pool, BATCH_LIST, query, batchView),
  createRedemptionBatch,
  getRedemptionBatch,
  updateRedemptionBatch,
  exportRedemptionBatch,
  listRedemptionCodes: ({ context, query }) =>
    readCounted(context.pool, CODE_LIST, query, codeView),
  updateRedemptionCode,
  changeRedemptionCodesInBulk,
};

const CHANGE_BATCH = `
  update redemption_codes set status = $2 where batch_id = $1 and redeemed_at is null`;

const CHANGE_CODE = `
  update redemption_codes set status = $2 where id = $1 and redeemed_at is null`;

async function getRedemptionBatch({
  context,
  params,
}: Call<'getRedemptionBatch'>): Promise<RedemptionBatchView | Refusal> {
  const batch = await findBatch(context.pool, params.batchId);
  return batch === undefined ? NO_BATCH : batchView(batch);
}

function updateRedemptionBatch(
  call: Call<'updateRedemptionBatch'>,
): Answer<'updateRedemptionBatch'> {
  const { context, params, body } = call;
  return inTransaction(context.pool, async (client) => {
    const before = await findBatch(client, params.batchId);
    if (before === undefined) return NO_BATCH;
    await client.query(CHANGE_BATCH, [params.batchId, body.status]);
    const after = await findBatch(client, params.batchId);
    if (after === undefined) return NO_BATCH;
    return {
      view: batchView(after),
      audit: await audit(client, call, {
        kind: 'redemption_batch',
        id: params.batchId,
        before: batchView(before),
        after: batchView(after),
      }),
    };
  });
}

async function findCode(db: Database, codeId: string): Promise<RedemptionCodeView | undefined> {
  const { rows } = await db.query<CodeRow>(`${SELECT_CODES} where c.id = $1`, [codeId]);
  return rows[0] === undefined ? undefined : codeView(rows[0]);
}

function updateRedemptionCode(call: Call<'updateRedemptionCode'>): Answer<'updateRedemptionCode'> {
  const { context, params, body } = call;
  const id = params.redemptionCodeId;
  return inTransaction(context.pool, async (client) => {
    const before = await findCode(client, id);
    if (before === undefined) return refuse('not_found', 'There is no such code.');
    const changed = await client.query(CHANGE_CODE, [id, body.status]);
    if (changed.rowCount === 0) return refuse('code_redeemed');
    const after = await findCode(client, id);
    if (after === undefined) throw new Error('a code that was changed is gone');
    return {
      view: after,
      audit: await audit(client, call, { kind: 'redemption_code', id, before, after }),
    };
  });
}
