import type { ChannelView } from '@weir/shared/catalog/channels';
import type { AdminContext } from '../api/context.ts';
import type { Database } from '../api/transaction.ts';
import type { UpstreamBalance } from '../alerts/judges/signals.ts';
import { findChannel } from '../channels/channel-row.ts';
import { askBalance } from './ask-balance.ts';
import { balanceApiOf } from './balance-apis.ts';
import { BALANCE_COLUMNS, storeBalance, type BalanceRow } from './stored-balances.ts';

/** Vendors answer from a cache or limit such questions; money of a quarter of an hour is enough. */
const EVERY_MINUTES = 10;
/** An older balance says nothing about now. */
const FRESH_MINUTES = 60;
const AT_ONCE = 8;

const LIST = `
  select c.id, c.base_url as "baseUrl", c.balance_api as "balanceApi", ${BALANCE_COLUMNS},
    b.asked_at is null or b.asked_at < now() - make_interval(mins => ${String(EVERY_MINUTES)}) as "isDue",
    b.read_at > now() - make_interval(mins => ${String(FRESH_MINUTES)}) as "isFresh"
  from channels c left join upstream_balances b on b.channel_id = c.id
  where c.status = 'active' order by c.name`;

type ListRow = BalanceRow &
  Pick<ChannelView, 'id' | 'baseUrl' | 'balanceApi'> & {
    readonly isDue: boolean;
    readonly isFresh: boolean | null;
  };

/** Active channels whose upstream reports a balance, with its last report. */
export async function readBalanceRows(db: Database) {
  const { rows } = await db.query<ListRow>(LIST);
  return rows.flatMap((row) => {
    const api = balanceApiOf(row);
    return api === undefined ? [] : [{ ...row, api }];
  });
}

/** Returns the balances that alert rules compare: those read within the last hour. */
export async function freshBalances(db: Database): Promise<UpstreamBalance[]> {
  return (await readBalanceRows(db)).flatMap(({ id, balanceNano, currency, isFresh }) =>
    isFresh === true && balanceNano !== null && currency !== null
      ? [{ channelId: id, balanceNano, currency }]
      : [],
  );
}

/** Asks the upstreams that are due. What fails is stored, and keeps no other waiting. */
export async function readUpstreamBalances(context: AdminContext): Promise<void> {
  const due = (await readBalanceRows(context.pool)).filter(({ isDue }) => isDue);
  for (let from = 0; from < due.length; from += AT_ONCE) {
    await Promise.all(due.slice(from, from + AT_ONCE).map((row) => readOne(context, row)));
  }
}

async function readOne(
  context: AdminContext,
  { id, api }: Awaited<ReturnType<typeof readBalanceRows>>[number],
): Promise<void> {
  const channel = await findChannel(context.pool, id);
  // Deleted meanwhile.
  if (channel === undefined) return;
  const answer = await askBalance(context, channel, api);
  if ('error' in answer) {
    const { error } = answer;
    context.logger.warn({ channel: channel.name, error }, 'A balance could not be read');
  }
  await storeBalance(context.pool, id, answer);
}
