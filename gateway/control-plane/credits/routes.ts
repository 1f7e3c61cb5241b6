import type { ACCOUNT_ROUTES } from '@weir/shared/api/admin-routes/accounts';
import type { CreditAdminListQuery, CreditPage, CreditView } from '@weir/shared/money/credits';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { findAccount } from '../accounts/account-row.ts';
import { amountFromWire } from '../api/amount.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { Conditions } from '../api/lists/conditions.ts';
import { INTEGER_SHAPE, pageLimit, pageOf, readCursor, UUID_SHAPE } from '../api/lists/cursor.ts';
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

interface CreditSort {
  readonly expression: string;
  /** The value in a cursor as SQL; `%s` is its parameter. */
  readonly value: string;
  readonly valueOf: (row: CreditRow) => string;
}

/** Orders of credits; equal ones are ordered by account and sequence. Indexes serve both. */
const SORTS: Readonly<Record<string, CreditSort>> = {
  created: {
    expression: 'created_at',
    value: `timestamptz '1970-01-01 00:00:00+00' + %s::bigint * interval '1 microsecond'`,
    valueOf: ({ atUs }) => atUs,
  },
  amount: {
    expression: 'amount_nano_usd',
    value: '%s::bigint',
    valueOf: ({ amountNanoUsd }) => String(amountNanoUsd),
  },
};

async function readPage(db: Database, query: CreditAdminListQuery): Promise<CreditPage | Refusal> {
  const sort = query.sort ?? '-created';
  const isDescending = sort.startsWith('-');
  const column = SORTS[isDescending ? sort.slice(1) : sort];
  if (column === undefined) throw new Error(`no column to sort by: ${sort}`);
  const shapes = [new RegExp(`^${sort}$`), INTEGER_SHAPE, UUID_SHAPE, INTEGER_SHAPE];
  const key = readCursor(query.cursor, shapes);
  if (key !== undefined && 'refused' in key) return key;
  const { expression, value, valueOf } = column;
  const conditions = new Conditions();
  if (key !== undefined) {
    const [, at, accountId, sequence] = key;
    const position = `(${value.replace('%s', conditions.place(at))},
      ${conditions.place(accountId)}::uuid, ${conditions.place(sequence)}::bigint)`;
    const comparison = isDescending ? '<' : '>';
    conditions.add(`(${expression}, account_id, sequence) ${comparison} ${position}`);
  }
  conditions.equal('account_id', query.accountId);
  conditions.equal('kind', query.kind);
  const limit = pageLimit(query);
  const order = [expression, 'account_id', 'sequence']
    .map((name) => `${name} ${isDescending ? 'desc' : 'asc'}`)
    .join(', ');
  const { rows } = await db.query<CreditRow>(
    `${SELECT_CREDITS} ${conditions.sql} order by ${order} limit ${conditions.place(limit + 1)}`,
    conditions.values,
  );
  return pageOf(rows, {
    limit,
    view: creditView,
    sortKey: (row) => [sort, valueOf(row), row.accountId, String(row.sequence)],
  });
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
