import { captured, write } from '../../../content-log/support/content-fixture.ts';
import { enterRequests, senderOf } from '../requests.ts';
import type { UsedCatalog } from './use-catalog.ts';
import type { Walk } from '../walk.ts';

/** Keeps a request's content, and lets an operator read it. */
async function useContent(
  { fixture, admin }: Walk,
  { owner, keyId }: Pick<UsedCatalog, 'owner' | 'keyId'>,
): Promise<void> {
  const body = { enabled: true, days: 7 };
  await fixture.ask('setContentLog', { as: owner, params: { keyId }, body });
  const content = captured({ keyId, accountId: owner.accountId });
  await write(fixture.pool, [content]);
  const params = { requestId: content.requestId };
  await fixture.ask('getOwnContent', { as: owner, params });
  const supportUntil = new Date(Date.now() + 60_000).toISOString();
  await fixture.ask('updateContentPolicy', { as: owner, body: { supportUntil } });
  await fixture.ask('getContentPolicy', { as: owner });
  await fixture.ask('getContent', { as: admin, params });
}

/** Looks at requests, one of which failed at its channel. */
export async function useRequests(
  walk: Walk,
  { owner, groupId, keyId }: UsedCatalog,
): Promise<void> {
  const { fixture, admin } = walk;
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
  await useContent(walk, { owner, keyId });
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
