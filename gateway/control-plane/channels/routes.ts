import type { BULK_ROUTES } from '@weir/shared/api/admin-routes/bulk-changes';
import type { CHANNEL_ROUTES } from '@weir/shared/api/admin-routes/channels';
import {
  CHANNEL_CREDENTIALS_MAX,
  type ChannelView,
  type CredentialView,
} from '@weir/shared/catalog/channels';
import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { newRequestId } from '../../platform/ids/request-id.ts';
import type { ChannelStatus } from '../admin-deps.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { sortByHealth } from './channel-health.ts';
import { channelView, findChannel, listChannelRows, readChannelNames } from './channel-row.ts';
import { changeChannelsInBulk } from './bulk-change-channels.ts';
import { bringModels } from './bring-models.ts';
import { listUpstreamModels, testChannel } from './try-channel.ts';
import { probeUpstream, testUpstream } from './try-upstream.ts';
import {
  changeChannel,
  forgetRefusals,
  insertCredential,
  readCredential,
  refuseBadChannel,
  refuseBaseUrl,
  refuseMovedCredentials,
  refuseUnfitKind,
  refuseUnknownProfile,
} from './write-channel.ts';

export const channelHandlers: HandlersOf<
  typeof CHANNEL_ROUTES & Pick<typeof BULK_ROUTES, 'changeChannelsInBulk'>
> = {
  listChannels: async ({ context, query }) => {
    const rows = await listChannelRows(context.pool, query);
    const views = rows.map((row) => channelView(row, statuses(context)));
    return { data: sortByHealth(views, query.sort) };
  },
  listChannelNames: async ({ context }) => ({ data: await readChannelNames(context.pool) }),
  createChannel,
  getChannel: ({ context, params }) => viewOf(context, context.pool, params.channelId),
  updateChannel,
  deleteChannel,
  createCredential,
  updateCredential,
  deleteCredential,
  testChannel,
  listUpstreamModels,
  probeUpstream,
  testUpstream,
  changeChannelsInBulk,
};

const NO_CHANNEL = refuse('not_found', 'There is no such channel.');
const NO_CREDENTIAL = refuse('not_found', 'The channel has no such credential.');

const INSERT = 'insert into channels (id, name, kind, base_url) values ($1, $2, $3, $4)';

const CHANGE_CREDENTIAL = `
  update channel_credentials set status = $3 where id = $1 and channel_id = $2`;
const DELETE_CREDENTIAL = 'delete from channel_credentials where id = $1 and channel_id = $2';

function statuses(context: AdminContext): readonly ChannelStatus[] {
  return context.channelStatus?.() ?? [];
}

async function viewOf(
  context: AdminContext,
  db: Database,
  channelId: string,
): Promise<ChannelView | Refusal> {
  const row = await findChannel(db, channelId);
  return row === undefined ? NO_CHANNEL : channelView(row, statuses(context));
}

async function createChannel(call: Call<'createChannel'>): Answer<'createChannel'> {
  const { body, context } = call;
  const { credentials = [], name, kind = 'openai', baseUrl, ...settings } = body;
  const { allowPrivate = false, protocols = null, storesResponses = false } = settings;
  const refused =
    refuseUnfitKind({ kind, protocols, storesResponses }, {}) ??
    refuseUnknownProfile(settings.models) ??
    (await refuseBaseUrl(context, { kind, baseUrl, allowPrivate }));
  if (refused !== undefined) return refused;
  return refuseBadChannel(
    inTransaction(context.pool, async (client) => {
      const id = newRequestId(Date.now());
      await client.query(INSERT, [id, name, kind, baseUrl]);
      await changeChannel(client, id, settings);
      for (const text of credentials) {
        const read = readCredential(kind, text, 'credentials');
        if (isRefusal(read)) return read;
        await insertCredential(client, context.secrets, { channelId: id, ...read });
      }
      const refusedModel = await bringModels(client, call, id);
      if (refusedModel !== undefined) return refusedModel;
      const after = await viewOf(context, client, id);
      if ('refused' in after) return after;
      return {
        view: after,
        audit: await audit(client, call, { kind: 'channel', id, before: null, after }),
      };
    }),
  );
}

async function updateChannel(call: Call<'updateChannel'>): Answer<'updateChannel'> {
  const { body, context, params } = call;
  const known = await findChannel(context.pool, params.channelId);
  if (known === undefined) return NO_CHANNEL;
  const { kind = known.kind, baseUrl = known.baseUrl, allowPrivate = known.allowPrivate } = body;
  const refused = await refuseBaseUrl(context, { kind, baseUrl, allowPrivate });
  // A channel whose name no longer resolves publicly must still be possible to switch off.
  const concernsAddress =
    body.baseUrl !== undefined || body.allowPrivate !== undefined || body.kind !== undefined;
  if (refused !== undefined && concernsAddress) return refused;
  return refuseBadChannel(
    inTransaction(context.pool, async (client) => {
      const channel = await findChannel(client, params.channelId, { lock: true });
      if (channel === undefined) return NO_CHANNEL;
      const before = channelView(channel, []);
      const unfit =
        call.refuseStale(before) ??
        refuseUnfitKind(channel, body) ??
        refuseUnknownProfile(body.models) ??
        refuseMovedCredentials(channel, body.baseUrl);
      if (unfit !== undefined) return unfit;
      const isMoved = kind !== channel.kind || baseUrl !== channel.baseUrl;
      if (isMoved) await forgetRefusals(client, channel.id);
      await changeChannel(client, channel.id, body);
      const refusedModel = await bringModels(client, call, channel.id);
      if (refusedModel !== undefined) return refusedModel;
      const after = await viewOf(context, client, channel.id);
      if ('refused' in after) return after;
      return {
        view: after,
        audit: await audit(client, call, { kind: 'channel', id: channel.id, before, after }),
      };
    }),
  );
}

function deleteChannel(call: Call<'deleteChannel'>): Answer<'deleteChannel'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const channel = await findChannel(client, params.channelId, { lock: true });
    if (channel === undefined) return NO_CHANNEL;
    await client.query('delete from channels where id = $1', [channel.id]);
    const before = channelView(channel, []);
    return {
      view: undefined,
      audit: await audit(client, call, { kind: 'channel', id: channel.id, before, after: null }),
    };
  });
}

async function credentialOf(
  context: AdminContext,
  db: Database,
  options: { readonly channelId: string; readonly credentialId: string },
): Promise<CredentialView | Refusal> {
  const view = await viewOf(context, db, options.channelId);
  if ('refused' in view) return view;
  return view.credentials.find(({ id }) => id === options.credentialId) ?? NO_CREDENTIAL;
}

function createCredential(call: Call<'createCredential'>): Answer<'createCredential'> {
  const { body, context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const channel = await findChannel(client, params.channelId, { lock: true });
    if (channel === undefined) return NO_CHANNEL;
    if (channel.credentials.length >= CHANNEL_CREDENTIALS_MAX) {
      return refuse('limit_reached', 'The channel has the maximum number of credentials.');
    }
    const { channelId } = params;
    const read = readCredential(channel.kind, body.secret, 'secret');
    if (isRefusal(read)) return read;
    const credentialId = await insertCredential(client, context.secrets, { channelId, ...read });
    const after = await credentialOf(context, client, { channelId, credentialId });
    if ('refused' in after) return after;
    return {
      view: after,
      audit: await audit(client, call, { kind: 'channel', id: channelId, before: null, after }),
    };
  });
}

function updateCredential(call: Call<'updateCredential'>): Answer<'updateCredential'> {
  const { body, context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const before = await credentialOf(context, client, params);
    if ('refused' in before) return before;
    await client.query(CHANGE_CREDENTIAL, [params.credentialId, params.channelId, body.status]);
    const after = await credentialOf(context, client, params);
    if ('refused' in after) return after;
    return {
      view: after,
      audit: await audit(client, call, { kind: 'channel', id: params.channelId, before, after }),
    };
  });
}

function deleteCredential(call: Call<'deleteCredential'>): Answer<'deleteCredential'> {
  const { context, params } = call;
  return inTransaction(context.pool, async (client) => {
    const before = await credentialOf(context, client, params);
    if ('refused' in before) return before;
    await client.query(DELETE_CREDENTIAL, [params.credentialId, params.channelId]);
    return {
      view: undefined,
      audit: await audit(client, call, {
        kind: 'channel',
        id: params.channelId,
        before,
        after: null,
      }),
    };
  });
}
