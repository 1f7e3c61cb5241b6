import type { ACCOUNT_ROUTES } from '@weir/shared/admin-routes/accounts';
import type { CreditAdminListQuery, CreditPage, CreditView } from '@weir/shared/credits';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { findAccount } from '../accounts/account-row.ts';
import { amountFromWire } from '../api/amount.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor, UUID_SHAPE } from '../api/cursor.ts';
import { inTransaction, onlyRow, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { addCredit } from './add-credit.ts';
import { creditView, SELECT_CREDITS, type CreditRow } from './credit-row.ts';
import { pushCredits } from './push-credits.ts';

type Table = Pick<typeof ACCOUNT_ROUTES, 'createCredit' | 'listOwnCredits' | 'listCredits'>;

export const creditHandlers: HandlersOf<Table> = {
  createCredit,
  listOwnCredits: ({ context, query, caller }) =>
    readPage(context.pool, { ...query, accountId: caller.accountId }),
  listCredits: ({ context, query }) => readPage(context.pool, query),
};

const LIST = `${SELECT_CREDITS}
  where ($1::bigint is null or (created_at, account_id, sequence) <
          (timestamptz '1970-01-01 00:00:00+00' + $1 * interval '1 microsecond', $2::uuid, $3::bigint))
    and ($4::uuid is null or account_id = $4) and ($5::text is null or kind = $5)
  order by created_at desc, account_id desc, sequence desc limit $6`;

const FIND = `${SELECT_CREDITS} where account_id = $1 and sequence = $2`;

const RECENT = `${SELECT_CREDITS} where account_id = $1 order by sequence desc limit $2`;

const OF_MONTH = `${SELECT_CREDITS}
  where account_id = $1 and created_at >= $2 and created_at < $3 and kind <> 'recovered_usage'
  order by sequence`;

export async function readRecentCredits(
  db: Database,
  accountId: string,
  limit: number,
): Promise<CreditView[]> {
  return (await db.query<CreditRow>(RECENT, [accountId, limit])).rows.map(creditView);
}

/** Credits of a period, other than usage that had to be charged again. */
export async function readCreditsOf(
  db: Database,
  accountId: string,
  period: { readonly from: Date; readonly to: Date },
): Promise<CreditView[]> {
  const { rows } = await db.query<CreditRow>(OF_MONTH, [accountId, period.from, period.to]);
  return rows.map(creditView);
}

async function readPage(db: Database, query: CreditAdminListQuery): Promise<CreditPage | Refusal> {
  const after = readCursor(query.cursor, [INTEGER_SHAPE, UUID_SHAPE, INTEGER_SHAPE]);
  if (after !== undefined && 'refused' in after) return after;
  const limit = pageLimit(query);
  const { rows } = await db.query<CreditRow>(LIST, [
    after?.[0] ?? null,
    after?.[1] ?? null,
    after?.[2] ?? null,
    query.accountId ?? null,
    query.kind ?? null,
    limit + 1,
  ]);
  const sortKey = ({ atUs, accountId, sequence }: CreditRow) => [atUs, accountId, String(sequence)];
  return pageOf(rows, { limit, view: creditView, sortKey });
}

/** Gives or takes money by hand. The operation's id names the entry, so a repeat adds nothing. */
async function createCredit(call: Call<'createCredit'>): Answer<'createCredit'> {
  const { body, context, params, caller, operationId } = call;
  const amountNanoUsd = amountFromWire(body.amountUsd, 'amountUsd');
  if (typeof amountNanoUsd !== 'number') return amountNanoUsd;
  if (amountNanoUsd === 0) {
    return refuse('invalid_value', 'An amount of 0 changes nothing.', { param: 'amountUsd' });
  }
  const { accountId } = params;
  const credit = await inTransaction(context.pool, async (client) => {
    if ((await findAccount(client, accountId, { lock: true })) === undefined) {
      return refuse('not_found', 'There is no such account.');
    }
    const { sequence } = await addCredit(client, {
      entryId: `credit:${operationId}`,
      accountId,
      amountNanoUsd,
      kind: body.kind ?? 'adjustment',
      reason: body.reason,
      actor: caller.userId,
    });
    const view = creditView(
      onlyRow((await client.query<CreditRow>(FIND, [accountId, sequence])).rows),
    );
    return {
      view,
      audit: await audit(client, call, {
        kind: 'account',
        id: accountId,
        before: null,
        after: view,
      }),
    };
  });
  if (!('refused' in credit)) await pushCredits(context, accountId);
  return credit;
}
