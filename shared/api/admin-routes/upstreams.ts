import type { AdminRoute } from '../admin-route.ts';
import { MarginQuery, MarginView } from '../../prices/margins.ts';
import { UpstreamBalanceList, UpstreamBalanceView } from '../../prices/upstream-balances.ts';
import { UpstreamPricesUpdate, UpstreamPricesView } from '../../prices/upstream-prices.ts';

/** Routes for upstream prices and the balances left at upstreams. */
export const UPSTREAM_ROUTES = {
  getUpstreamPrices: {
    method: 'GET',
    path: '/channels/:channelId/upstream-prices',
    caller: 'admin',
    permission: 'operate',
    summary: 'What a channel’s models cost at its upstream.',
    status: 200,
    reply: UpstreamPricesView,
  },
  updateUpstreamPrices: {
    method: 'PATCH',
    path: '/channels/:channelId/upstream-prices',
    caller: 'admin',
    permission: 'operate',
    summary:
      'Sets what a channel’s models cost at its upstream, from now on: all of it or nothing.',
    body: UpstreamPricesUpdate,
    status: 200,
    reply: UpstreamPricesView,
  },
  getMargins: {
    method: 'GET',
    path: '/admin/margins',
    caller: 'admin',
    permission: 'operate',
    summary: 'Revenue, upstream cost and profit by day, model, channel or account.',
    query: MarginQuery,
    status: 200,
    reply: MarginView,
  },
  exportMargins: {
    method: 'GET',
    path: '/admin/margin-exports',
    caller: 'admin',
    permission: 'operate',
    summary: 'The same as CSV.',
    query: MarginQuery,
    status: 200,
    reply: 'csv',
  },
  listUpstreamBalances: {
    method: 'GET',
    path: '/upstream-balances',
    caller: 'admin',
    permission: 'operate',
    summary: 'Lists what is left at the upstreams that report it, as last read.',
    status: 200,
    reply: UpstreamBalanceList,
  },
  readUpstreamBalance: {
    method: 'GET',
    path: '/channels/:channelId/upstream-balance',
    caller: 'admin',
    permission: 'operate',
    summary: 'Asks a channel’s upstream now for what is left there.',
    status: 200,
    reply: UpstreamBalanceView,
  },
} as const satisfies Record<string, AdminRoute>;
