import { keepLearned } from '../../../../../gateway/catalog/learned-refusals.ts';
import { makeCatalog, type Catalog } from '../catalog.ts';
import type { Person } from '../fixture.ts';
import type { Walk } from '../walk.ts';

/** The objects that later steps use. */
export interface UsedCatalog extends Catalog {
  readonly owner: Person;
  readonly keyId: string;
}

const UPSTREAM_CREDENTIAL = 'upstream-credential-0123456789abcdef';
const SECOND_CREDENTIAL = 'second-upstream-credential-01234567';

async function manageGroups(walk: Walk, { groupId }: Catalog): Promise<void> {
  const { fixture, admin, secrets } = walk;
  const spare = await fixture.ask('createGroup', { as: admin, body: { name: 'spare group' } });
  const params = { groupId: spare.reply.id };
  await fixture.ask('listGroups', { as: admin });
  await fixture.ask('listChannelNames', { as: admin });
  await fixture.ask('listModelNames', { as: admin });
  await fixture.ask('getGroup', { as: admin, params: { groupId } });
  const body = { multiplier: '0.5', rpm: 10, access: 'code' };
  await fixture.ask('updateGroup', { as: admin, params, anyVersion: true, body });
  const first = await fixture.ask('getGroupCode', { as: admin, params });
  secrets.set('code of a group', first.reply.code ?? '');
  const second = await fixture.ask('replaceGroupCode', { as: admin, params });
  secrets.set('new code of a group', second.reply.code ?? '');
  const { accountId } = admin;
  const given = { accountIds: [accountId], multiplier: '0.9' };
  await fixture.ask('addGroupAccounts', { as: admin, params, body: given });
  await fixture.ask('listGroupAccounts', { as: admin, params });
  await fixture.ask('listAccountGroups', { as: admin, params: { accountId } });
  await fixture.ask('removeGroupAccount', { as: admin, params: { ...params, accountId } });
  await fixture.ask('deleteGroup', { as: admin, params });
}

async function manageModels(walk: Walk, { modelId }: Catalog): Promise<void> {
  const { fixture, admin } = walk;
  const model = { publicId: 'spare-model', contextTokensMax: 100, outputTokensMax: 50 };
  const prices = { inputUsd: '1', outputUsd: '2' };
  const body = { models: [{ ...model, prices }], dryRun: false };
  await fixture.ask('importModels', { as: admin, body });
  const list = await fixture.ask('listModels', { as: admin, query: { search: 'spare-model' } });
  const params = { modelId: list.reply.data[0]?.id ?? '' };
  await fixture.ask('getModel', { as: admin, params: { modelId } });
  const name = { displayName: 'Spare' };
  await fixture.ask('updateModel', { as: admin, params, anyVersion: true, body: name });
  await fixture.ask('deleteModel', { as: admin, params });
  const effectiveFrom = new Date(Date.now() + 86_400_000).toISOString();
  const future = { inputUsd: '3', outputUsd: '4', effectiveFrom };
  const priced = await fixture.ask('createPrice', { as: admin, params: { modelId }, body: future });
  await fixture.ask('listListPrices', { as: admin });
  await fixture.ask('listPrices', { as: admin, params: { modelId } });
  await fixture.ask('deletePrice', {
    as: admin,
    params: { modelId, effectiveFrom: priced.reply.effectiveFrom },
  });
}

async function manageAccountPrices({ fixture, admin }: Walk, { modelId }: Catalog): Promise<void> {
  const params = { accountId: admin.accountId };
  const [begin = '', end = ''] = [1, 2].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString(),
  );
  const body = { modelId, inputUsd: '1', outputUsd: '3', effectiveFrom: begin };
  await fixture.ask('createAccountPrice', { as: admin, params, body });
  const model = { ...params, modelId };
  const ends = { effectiveFrom: end };
  await fixture.ask('endAccountPrice', { as: admin, params: model, body: ends });
  await fixture.ask('listAccountPrices', { as: admin, params });
  await fixture.ask('listModelAccountPrices', { as: admin, params: { modelId } });
  for (const effectiveFrom of [end, begin]) {
    await fixture.ask('deleteAccountPrice', { as: admin, params: { ...model, effectiveFrom } });
  }
}

async function changeInBulk(walk: Walk, { modelId, groupId }: Catalog): Promise<void> {
  const { fixture, admin } = walk;
  const as = admin;
  const key = await fixture.ask('createKey', { as, body: { name: 'bulk key', groupId } });
  const ids = [key.reply.id];
  await fixture.ask('changeOwnKeysInBulk', { as, body: { ids, rpm: 100 } });
  await fixture.ask('changeKeysInBulk', { as, body: { ids, status: 'disabled' } });
  const models = [modelId];
  await fixture.ask('changeModelsInBulk', { as, body: { ids: models, status: 'active' } });
  const prices = { ids: models, factor: '2' };
  const priced = await fixture.ask('changePricesInBulk', { as, body: prices });
  const params = { bulkChangeId: priced.reply.id ?? '' };
  await fixture.ask('listBulkChangeLines', { as, params });
  await fixture.ask('undoBulkChange', { as, params, body: {} });
  const accounts = { ids: [admin.accountId], concurrencyMax: 500 };
  await fixture.ask('changeAccountsInBulk', { as, body: accounts });
  const channels = (await fixture.ask('listChannels', { as })).reply.data.map(({ id }) => id);
  await fixture.ask('changeChannelsInBulk', { as, body: { ids: channels, weight: 7 } });
  const invited = await fixture.ask('createInvitationCode', { as, body: { usesMax: 1 } });
  walk.secrets.set('invitation code of a bulk change', invited.reply.code);
  const invitations = { ids: [invited.reply.id], delete: true as const };
  await fixture.ask('changeInvitationCodesInBulk', { as, body: invitations });
  const batch = { name: 'bulk batch', count: 1, kind: 'balance' as const, amountUsd: '1' };
  const made = await fixture.ask('createRedemptionBatch', { as, body: batch });
  walk.secrets.set('redemption code of a bulk change', made.reply.codes[0] ?? '');
  const codes = { matching: { batchId: made.reply.id, count: 1 }, status: 'disabled' as const };
  await fixture.ask('changeRedemptionCodesInBulk', { as, body: codes });
  await fixture.ask('exportAuditEntries', { as });
}

async function manageChannels(walk: Walk, { modelId }: Catalog): Promise<void> {
  const { fixture, admin, upstream, secrets } = walk;
  const channel = await fixture.ask('createChannel', {
    as: admin,
    body: {
      name: 'channel',
      baseUrl: upstream.url,
      allowPrivate: true,
      credentials: [UPSTREAM_CREDENTIAL],
      models: [{ modelId, upstreamName: 'echo' }],
    },
  });
  const params = { channelId: channel.reply.id };
  secrets.set('upstream credential', UPSTREAM_CREDENTIAL);
  await fixture.ask('testChannel', { as: admin, params, body: {} });
  await useTargets(walk, channel.reply.id);
  await fixture.ask('listUpstreamModels', { as: admin, params });
  const access = { credential: UPSTREAM_CREDENTIAL, allowPrivate: true };
  const probe = { address: upstream.url, ...access };
  await fixture.ask('probeUpstream', { as: admin, body: probe });
  const asked = { kind: 'openai', baseUrl: upstream.url, upstreamName: 'echo', ...access };
  await fixture.ask('testUpstream', { as: admin, body: asked });
  // Upstreams tell what they were sent, and what they tell is kept.
  const body = `no such key: ${UPSTREAM_CREDENTIAL}`;
  upstream.behave('echo', { kind: 'status', status: 401, body });
  await fixture.ask('testChannel', { as: admin, params, body: {} });
  await fixture.ask('testUpstream', { as: admin, body: asked });
  const secret = SECOND_CREDENTIAL;
  secrets.set('second upstream credential', secret);
  const added = await fixture.ask('createCredential', { as: admin, params, body: { secret } });
  const second = { ...params, credentialId: added.reply.id };
  const off = { status: 'disabled' };
  await fixture.ask('updateCredential', { as: admin, params: second, body: off });
  await fixture.ask('listChannels', { as: admin });
  await fixture.ask('getChannel', { as: admin, params });
  await fixture.ask('updateChannel', { as: admin, params, anyVersion: true, body: { weight: 2 } });
  const spare = await fixture.ask('createChannel', {
    as: admin,
    body: {
      name: 'spare channel',
      baseUrl: upstream.url,
      allowPrivate: true,
      credentials: [secret],
    },
  });
  const spareParams = { channelId: spare.reply.id };
  const credentialId = spare.reply.credentials[0]?.id ?? '';
  await fixture.ask('deleteCredential', { as: admin, params: { ...spareParams, credentialId } });
  await fixture.ask('deleteChannel', { as: admin, params: spareParams });
}

async function useTargets({ fixture, admin }: Walk, channelId: string): Promise<void> {
  await fixture.ask('listTargetProfiles', { as: admin });
  const accountId = (await fixture.ask('listAccounts', { as: admin })).reply.data[0]?.id ?? '';
  for (const field of ['store', 'seed']) {
    await keepLearned(fixture.pool, {
      channelId,
      upstreamModel: 'echo',
      protocol: 'openai-chat',
      field,
      accountId,
      message: `Unknown parameter: '${field}'.`,
    });
  }
  const targets = await fixture.ask('listTargets', { as: admin, params: { channelId } });
  const [first, second] = targets.reply.data.flatMap(({ learned }) => learned);
  const kept = { channelId, refusalId: first?.id ?? '' };
  await fixture.ask('updateLearnedRefusal', { as: admin, params: kept, body: { kept: true } });
  const forgotten = { channelId, refusalId: second?.id ?? '' };
  await fixture.ask('deleteLearnedRefusal', { as: admin, params: forgotten });
}

async function useKeys(walk: Walk, owner: Person, { groupId }: Catalog): Promise<string> {
  const { fixture, admin, secrets } = walk;
  const make = (name: string) => fixture.ask('createKey', { as: owner, body: { name, groupId } });
  const key = await make('key');
  const params = { keyId: key.reply.id };
  secrets.set('key', key.reply.value);
  const lent = await fixture.ask('createTemporaryKeyValue', { as: owner, params });
  secrets.set('temporary key', lent.reply.value);
  const body = { overlapSeconds: 60 };
  const rotated = await fixture.ask('rotateKey', { as: owner, params, body });
  secrets.set('rotated key', rotated.reply.value);
  await fixture.ask('getKey', { as: owner, params });
  await fixture.ask('updateKey', { as: owner, params, anyVersion: true, body: { rpm: 60 } });
  await fixture.ask('getKeyOfAnyone', { as: admin, params });
  const on = { status: 'active' };
  await fixture.ask('updateKeyOfAnyone', { as: admin, params, anyVersion: true, body: on });
  await fixture.ask('listKeysOfEveryone', { as: admin });
  const deleted = (await make('deleted key')).reply;
  secrets.set('deleted key', deleted.value);
  await fixture.ask('deleteKey', { as: owner, params: { keyId: deleted.id } });
  const batch = { namePrefix: 'team', count: 2, groupId };
  const own = await fixture.ask('createKeyBatch', { as: owner, body: batch });
  const given = await fixture.ask('createKeyBatchForAccount', {
    as: admin,
    body: { ...batch, accountId: owner.accountId },
  });
  for (const { name, value } of [...own.reply.keys, ...given.reply.keys]) {
    secrets.set(`key ${String(secrets.size)} of a batch: ${name}`, value ?? '');
  }
  const spare = { keyId: given.reply.keys[0]?.id ?? '' };
  await fixture.ask('deleteKeyOfAnyone', { as: admin, params: spare });
  // Typed into the wrong places, as people do.
  await fixture.ask('listKeys', { as: owner, query: { search: key.reply.value } });
  await fixture.ask('search', { as: admin, body: { text: key.reply.value } });
  await fixture.ask('getOwnUser', { as: { token: key.reply.value } });
  return key.reply.id;
}

/** Everything that is for use: groups, models, prices, channels, keys. */
export async function useCatalog(walk: Walk): Promise<UsedCatalog> {
  const { fixture, admin } = walk;
  const catalog = await makeCatalog(fixture, admin);
  await manageGroups(walk, catalog);
  await manageModels(walk, catalog);
  await manageAccountPrices(walk, catalog);
  await manageChannels(walk, catalog);
  const owner = await fixture.user();
  const keyId = await useKeys(walk, owner, catalog);
  await changeInBulk(walk, catalog);
  await fixture.ask('getPricing');
  return { ...catalog, owner, keyId };
}
