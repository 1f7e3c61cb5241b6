import type { UsedCatalog } from './use-catalog.ts';
import { startFakeVendor } from '../fakes/fake-vendor.ts';
import type { Walk } from '../walk.ts';

const BALANCE_CREDENTIAL = 'balance-credential-0123456789abcdef';

/** Uses upstream prices and balances. */
export async function useUpstreams(
  { fixture, admin, secrets }: Walk,
  { publicId }: UsedCatalog,
): Promise<void> {
  const vendor = await startFakeVendor();
  vendor.answer('/user/balance', {
    status: 401,
    error: { message: `no such key: ${BALANCE_CREDENTIAL}` },
  });
  secrets.set('credential of a balance', BALANCE_CREDENTIAL);
  const channel = await fixture.ask('createChannel', {
    as: admin,
    body: {
      name: 'upstream with a balance',
      baseUrl: vendor.url,
      allowPrivate: true,
      balanceApi: 'deepseek',
      credentials: [BALANCE_CREDENTIAL],
    },
  });
  const params = { channelId: channel.reply.id };
  await fixture.ask('readUpstreamBalance', { as: admin, params });
  const info = { currency: 'CNY', total_balance: '110.00' };
  vendor.answer('/user/balance', { is_available: true, balance_infos: [info] });
  await fixture.ask('readUpstreamBalance', { as: admin, params });
  await fixture.ask('listUpstreamBalances', { as: admin });
  const prices = { inputUsd: '1', outputUsd: '2', extra: { webSearch: '0.01' } };
  const body = { factor: '0.8', models: [{ model: publicId, prices }] };
  await fixture.ask('updateUpstreamPrices', { as: admin, params, body });
  await fixture.ask('getUpstreamPrices', { as: admin, params });
  await fixture.ask('getMargins', { as: admin, query: { by: 'channel' } });
  await fixture.ask('exportMargins', { as: admin, query: { by: 'account' } });
  await vendor.close();
}
