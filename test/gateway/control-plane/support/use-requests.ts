import { enterRequests, senderOf } from './requests.ts';
import type { UsedCatalog } from './use-catalog.ts';
import type { Walk } from './walk.ts';

/** Looks at requests, one of which failed at its channel. */
export async function useRequests(
  { fixture, admin }: Walk,
  { owner, groupId, keyId }: UsedCatalog,
): Promise<void> {
  const channels = await fixture.ask('listChannels', { as: admin });
  const channelId = channels.reply.data[0]?.id ?? '';
  const principal = senderOf({ accountId: owner.accountId, keyId, groupId });
  const [requestId = ''] = await enterRequests(fixture.pool, [
    {
      principal,
      channelId,
      status: 'failed',
      httpStatus: 502,
      refused: 'upstream_error',
      tokens: null,
      failedAttempts: [
        {
          number: 1,
          channelId,
          upstreamStatus: 500,
          failure: null,
          message: 'out of memory',
          startedMs: 3,
          durationMs: 12,
        },
      ],
    },
    { principal, channelId },
  ]);
  const params = { requestId };
  await fixture.ask('listOwnRequests', { as: owner });
  await fixture.ask('getOwnRequest', { as: owner, params });
  await fixture.ask('listRequests', { as: admin });
  await fixture.ask('getRequest', { as: admin, params });
  await fixture.ask('getTraffic', { as: admin, query: { by: 'model' } });
  await fixture.ask('getOwnTraffic', { as: owner, query: { by: 'code' } });
  await fixture.ask('getDashboard', { as: owner });
  await fixture.ask('listActivities', { as: admin, query: { kind: 'channel', ids: channelId } });
  await fixture.ask('listOwnKeyActivities', { as: owner, query: { ids: keyId } });
}
