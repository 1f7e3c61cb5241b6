import { randomBytes } from 'node:crypto';
import type { AdminFixture, Person } from './fixture.ts';

/** A group with one model that has a price, made through the API. */
export interface Catalog {
  readonly groupId: string;
  readonly modelId: string;
  readonly publicId: string;
}

export async function makeCatalog(fixture: AdminFixture, admin: Person): Promise<Catalog> {
  const mark = randomBytes(4).toString('hex');
  const publicId = `model-${mark}`;
  const group = await fixture.ask('createGroup', { as: admin, body: { name: `group ${mark}` } });
  const groupId = group.reply.id;
  const model = await fixture.ask('createModel', {
    as: admin,
    body: { publicId, contextTokensMax: 8192, outputTokensMax: 4096, groupIds: [groupId] },
  });
  const modelId = model.reply.id;
  await fixture.ask('createPrice', {
    as: admin,
    params: { modelId },
    body: { inputUsd: '2', outputUsd: '10' },
  });
  return { groupId, modelId, publicId };
}

export async function makeKey(fixture: AdminFixture, owner: Person, groupId: string) {
  const made = await fixture.ask('createKey', { as: owner, body: { name: 'a key', groupId } });
  return made.reply;
}

/** Gives an account money, as an administrator does. */
export async function giveMoney(
  fixture: AdminFixture,
  options: { readonly admin: Person; readonly to: Person; readonly amountUsd: string },
): Promise<void> {
  const given = await fixture.ask('createCredit', {
    as: options.admin,
    params: { accountId: options.to.accountId },
    body: { amountUsd: options.amountUsd, reason: 'a gift' },
  });
  if (given.status !== 201) throw new Error(given.text);
}

/** Someone with money. */
export async function makeRichUser(
  fixture: AdminFixture,
  { admin, amountUsd }: { readonly admin: Person; readonly amountUsd: string },
): Promise<Person> {
  const owner = await fixture.user();
  await giveMoney(fixture, { admin, to: owner, amountUsd });
  return owner;
}

/** Returns the available balance of an account, as its owner sees it. */
export async function availableOf(
  fixture: AdminFixture,
  owner: Person,
): Promise<string | undefined> {
  return (await fixture.ask('getOwnAccount', { as: owner })).reply.balance?.availableUsd;
}
