import { makeCatalog, type Catalog } from './catalog.ts';
import type { Person } from './ground.ts';
import type { Walk } from './walk.ts';

/** What the later steps go on with. */
export interface UsedCatalog extends Catalog {
  readonly owner: Person;
  readonly keyId: string;
}

const UPSTREAM_CREDENTIAL = 'upstream-credential-0123456789abcdef';
const SECOND_CREDENTIAL = 'second-upstream-credential-01234567';

async function manageGroups(walk: Walk, { groupId }: Catalog): Promise<void> {
  const { ground, admin, secrets } = walk;
  const spare = await ground.ask('createGroup', { as: admin, body: { name: 'spare group' } });
  const params = { groupId: spare.reply.id };
  await ground.ask('listGroups', { as: admin });
  await ground.ask('listModelNames', { as: admin });
  await ground.ask('getGroup', { as: admin, params: { groupId } });
  const body = { multiplier: '0.5', rpm: 10, access: 'code' };
  await ground.ask('updateGroup', { as: admin, params, anyVersion: true, body });
  const first = await ground.ask('getGroupCode', { as: admin, params });
  secrets.set('code of a group', first.reply.code ?? '');
  const second = await ground.ask('replaceGroupCode', { as: admin, params });
  secrets.set('new code of a group', second.reply.code ?? '');
  const { accountId } = admin;
  const given = { accountIds: [accountId], multiplier: '0.9' };
  await ground.ask('addGroupAccounts', { as: admin, params, body: given });
  await ground.ask('listGroupAccounts', { as: admin, params });
  await ground.ask('listAccountGroups', { as: admin, params: { accountId } });
  await ground.ask('removeGroupAccount', { as: admin, params: { ...params, accountId } });
  await ground.ask('deleteGroup', { as: admin, params });
}

async function manageModels(walk: Walk, { modelId }: Catalog): Promise<void> {
  const { ground, admin } = walk;
  const model = { publicId: 'spare-model', contextTokensMax: 100, outputTokensMax: 50 };
  const prices = { inputUsd: '1', outputUsd: '2' };
  const body = { models: [{ ...model, prices }], dryRun: false };
  await ground.ask('importModels', { as: admin, body });
  const list = await ground.ask('listModels', { as: admin, query: { search: 'spare-model' } });
  const params = { modelId: list.reply.data[0]?.id ?? '' };
  await ground.ask('getModel', { as: admin, params: { modelId } });
  const name = { displayName: 'Spare' };
  await ground.ask('updateModel', { as: admin, params, anyVersion: true, body: name });
  await ground.ask('deleteModel', { as: admin, params });
  const effectiveFrom = new Date(Date.now() + 86_400_000).toISOString();
  const future = { inputUsd: '3', outputUsd: '4', effectiveFrom };
  const priced = await ground.ask('createPrice', { as: admin, params: { modelId }, body: future });
  await ground.ask('listListPrices', { as: admin });
  await ground.ask('listPrices', { as: admin, params: { modelId } });
  await ground.ask('deletePrice', {
    as: admin,
    params: { modelId, effectiveFrom: priced.reply.effectiveFrom },
  });
}

async function manageChannels(walk: Walk, { modelId }: Catalog): Promise<void> {
  const { ground, admin, upstream, secrets } = walk;
  const channel = await ground.ask('createChannel', {
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
  await ground.ask('testChannel', { as: admin, params, body: {} });
  await ground.ask('listUpstreamModels', { as: admin, params });
  const access = { credential: UPSTREAM_CREDENTIAL, allowPrivate: true };
  const probe = { address: upstream.url, ...access };
  await ground.ask('probeUpstream', { as: admin, body: probe });
  const asked = { kind: 'openai', baseUrl: upstream.url, upstreamName: 'echo', ...access };
  await ground.ask('testUpstream', { as: admin, body: asked });
  // Upstreams tell what they were sent, and what they tell is kept.
  const body = `no such key: ${UPSTREAM_CREDENTIAL}`;
  upstream.behave('echo', { kind: 'status', status: 401, body });
  await ground.ask('testChannel', { as: admin, params, body: {} });
  await ground.ask('testUpstream', { as: admin, body: asked });
  const secret = SECOND_CREDENTIAL;
  secrets.set('second upstream credential', secret);
  const added = await ground.ask('createCredential', { as: admin, params, body: { secret } });
  const second = { ...params, credentialId: added.reply.id };
  const off = { status: 'disabled' };
  await ground.ask('updateCredential', { as: admin, params: second, body: off });
  await ground.ask('listChannels', { as: admin });
  await ground.ask('getChannel', { as: admin, params });
  await ground.ask('updateChannel', { as: admin, params, anyVersion: true, body: { weight: 2 } });
  const spare = await ground.ask('createChannel', {
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
  await ground.ask('deleteCredential', { as: admin, params: { ...spareParams, credentialId } });
  await ground.ask('deleteChannel', { as: admin, params: spareParams });
}

async function useKeys(walk: Walk, owner: Person, { groupId }: Catalog): Promise<string> {
  const { ground, admin, secrets } = walk;
  const make = (name: string) => ground.ask('createKey', { as: owner, body: { name, groupId } });
  const key = await make('key');
  const params = { keyId: key.reply.id };
  secrets.set('key', key.reply.value);
  const lent = await ground.ask('createTemporaryKeyValue', { as: owner, params });
  secrets.set('temporary key', lent.reply.value);
  const body = { overlapSeconds: 60 };
  const rotated = await ground.ask('rotateKey', { as: owner, params, body });
  secrets.set('rotated key', rotated.reply.value);
  await ground.ask('getKey', { as: owner, params });
  await ground.ask('updateKey', { as: owner, params, anyVersion: true, body: { rpm: 60 } });
  await ground.ask('getKeyOfAnyone', { as: admin, params });
  const on = { status: 'active' };
  await ground.ask('updateKeyOfAnyone', { as: admin, params, anyVersion: true, body: on });
  await ground.ask('listKeysOfEveryone', { as: admin });
  const deleted = (await make('deleted key')).reply;
  secrets.set('deleted key', deleted.value);
  await ground.ask('deleteKey', { as: owner, params: { keyId: deleted.id } });
  const batch = { namePrefix: 'team', count: 2, groupId };
  const own = await ground.ask('createKeyBatch', { as: owner, body: batch });
  const given = await ground.ask('createKeyBatchForAccount', {
    as: admin,
    body: { ...batch, accountId: owner.accountId },
  });
  for (const { name, value } of [...own.reply.keys, ...given.reply.keys]) {
    secrets.set(`key ${String(secrets.size)} of a batch: ${name}`, value ?? '');
  }
  const spare = { keyId: given.reply.keys[0]?.id ?? '' };
  await ground.ask('deleteKeyOfAnyone', { as: admin, params: spare });
  // Typed into the wrong places, as people do.
  await ground.ask('listKeys', { as: owner, query: { search: key.reply.value } });
  await ground.ask('search', { as: admin, body: { text: key.reply.value } });
  await ground.ask('getOwnUser', { as: { token: key.reply.value } });
  return key.reply.id;
}

/** Everything that is for use: groups, models, prices, channels, keys. */
export async function useCatalog(walk: Walk): Promise<UsedCatalog> {
  const { ground, admin } = walk;
  const catalog = await makeCatalog(ground, admin);
  await manageGroups(walk, catalog);
  await manageModels(walk, catalog);
  await manageChannels(walk, catalog);
  const owner = await ground.user();
  const keyId = await useKeys(walk, owner, catalog);
  await ground.ask('getPricing');
  return { ...catalog, owner, keyId };
}
