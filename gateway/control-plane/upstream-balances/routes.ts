import type { UPSTREAM_ROUTES } from '@weir/shared/api/admin-routes/upstreams';
import type { UpstreamBalanceView } from '@weir/shared/prices/upstream-balances';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Call, HandlersOf } from '../api/call.ts';
import { findChannel } from '../channels/channel-row.ts';
import { askBalance } from './ask-balance.ts';
import { balanceApiOf } from './balance-apis.ts';
import { readBalanceRows } from './read-balances.ts';
import { balanceView, storeBalance } from './stored-balances.ts';

type Table = Pick<typeof UPSTREAM_ROUTES, 'listUpstreamBalances' | 'readUpstreamBalance'>;

export const upstreamBalanceHandlers: HandlersOf<Table> = {
  listUpstreamBalances: async ({ context }) => ({
    data: (await readBalanceRows(context.pool)).map((row) => balanceView(row.id, row.api, row)),
  }),
  readUpstreamBalance,
};

const NO_CHANNEL = refuse('not_found', 'There is no such channel.');

/** Asks now: a person has topped up, or wants to know whether the credential may ask. */
async function readUpstreamBalance({
  context,
  params,
}: Call<'readUpstreamBalance'>): Promise<UpstreamBalanceView | Refusal> {
  const channel = await findChannel(context.pool, params.channelId);
  if (channel === undefined) return NO_CHANNEL;
  const api = balanceApiOf(channel);
  if (api === undefined) {
    return refuse(
      'state_conflict',
      'Weir does not know how to read the balance at this upstream. Choose an interface in the channel’s settings.',
    );
  }
  const answer = await askBalance(context, channel, api);
  const stored = await storeBalance(context.pool, channel.id, answer);
  return stored === undefined ? NO_CHANNEL : balanceView(channel.id, api, stored);
}
