import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchHit } from '@weir/shared/api/search';
import { makeCatalog, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { enterRequests, senderOf } from '../support/requests.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let stranger: Person;
let catalog: Catalog;
let key: { readonly id: string; readonly value: string; readonly prefix: string };
let requestId: string;
let orderId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user('grace@example.org');
  stranger = await fixture.user('heidi@example.net');
  catalog = await makeCatalog(fixture, admin);
  const { groupId, publicId: model } = catalog;
  const made = await fixture.ask('createKey', { as: owner, body: { name: 'laptop', groupId } });
  key = made.reply;
  const record = { accountId: owner.accountId, keyId: key.id, groupId, model };
  [requestId = ''] = await insertUsage(fixture.pool, [record]);
  orderId = '019ab000-0000-7000-8000-00000000beef';
  await fixture.pool.query(
    `insert into orders (id, account_id, user_id, kind, amount_nano_usd, payment_intent_id)
     values ($1, $2, $3, 'top_up', 5000000000, 'pi_3PaidByGrace')`,
    [orderId, owner.accountId, owner.userId],
  );
});
afterAll(() => fixture.close());

async function find(as: Person, text: string): Promise<readonly SearchHit[]> {
  return (await fixture.ask('search', { as, body: { text } })).reply.data;
}

function idsOf(hits: readonly SearchHit[], kind: SearchHit['kind']): string[] {
  return hits.filter((hit) => hit.kind === kind).map(({ id }) => id);
}

describe('an administrator finds', () => {
  it('a customer by a part of an e-mail address in any case, and by id', async () => {
    for (const text of ['Grace@exam', owner.accountId, owner.userId]) {
      expect(idsOf(await find(admin, text), 'account')).toEqual([owner.accountId]);
    }
  });

  it('a key by its prefix, its name, its whole value, and a value that works for a while', async () => {
    const params = { keyId: key.id };
    const lent = await fixture.ask('createTemporaryKeyValue', { as: owner, params });
    const line = `OPENAI_API_KEY="${key.value}" # found in a repository`;
    const whole = [key.value, `  ${key.value} `, `Bearer ${key.value}`, line, lent.reply.value];
    for (const text of [key.prefix, 'laptop', ...whole]) {
      const hits = await find(admin, text);
      expect(idsOf(hits, 'key')).toEqual([key.id]);
      expect(hits.find(({ kind }) => kind === 'key')).toMatchObject({
        accountId: owner.accountId,
        title: 'laptop',
      });
    }
    expect(fixture.log.join()).not.toContain(key.value);
  });

  it('a request and an order by id, and an order by what the payment service calls it', async () => {
    expect(idsOf(await find(admin, requestId.toUpperCase()), 'record')).toEqual([requestId]);
    for (const text of [orderId, orderId.slice(0, 13), 'pi_3PaidByGrace']) {
      expect(idsOf(await find(admin, text), 'order')).toEqual([orderId]);
    }
  });

  it('a request that failed by the id that its error handed out, also in a line of a log', async () => {
    const { groupId, publicId: model } = catalog;
    const principal = senderOf({ accountId: owner.accountId, keyId: key.id, groupId });
    const failed = {
      principal,
      model,
      status: 'failed' as const,
      refused: 'upstream_error' as const,
    };
    const [failedId = ''] = await enterRequests(fixture.pool, [failed]);
    for (const as of [admin, owner]) {
      for (const text of [failedId, `error 502, request id: ${failedId.toUpperCase()}.`]) {
        const [hit] = await find(as, text);
        expect(hit).toMatchObject({ kind: 'request', id: failedId, accountId: owner.accountId });
        expect(hit?.detail).toContain('upstream_error');
      }
    }
    expect(await find(stranger, failedId)).toEqual([]);
  });

  it('a model and a channel by name', async () => {
    const { modelId, publicId } = catalog;
    expect(idsOf(await find(admin, publicId.toUpperCase()), 'model')).toContain(modelId);
    const body = { name: 'Hong Kong', baseUrl: 'https://203.0.113.7/v1', allowPrivate: true };
    const channel = await fixture.ask('createChannel', { as: admin, body });
    for (const text of ['hong k', '203.0.113.7']) {
      expect(idsOf(await find(admin, text), 'channel')).toEqual([channel.reply.id]);
    }
  });

  it('the batch of a code and an invitation, as they are typed', async () => {
    const batch = await fixture.ask('createRedemptionBatch', {
      as: admin,
      body: { name: 'Spring', count: 2, kind: 'balance', amountUsd: '1' },
    });
    const [code = ''] = batch.reply.codes;
    for (const text of ['spring', code, code.toLowerCase().replaceAll('-', ' ')]) {
      expect(idsOf(await find(admin, text), 'code')).toEqual([batch.reply.id]);
    }
    const invited = await fixture.ask('createInvitationCode', {
      as: admin,
      body: { note: 'Ivan' },
    });
    for (const text of ['ivan', invited.reply.code]) {
      expect(idsOf(await find(admin, text), 'invitation')).toEqual([invited.reply.id]);
    }
  });

  it('what was typed and nothing else, wildcards included', async () => {
    expect(await find(admin, '%%')).toEqual([]);
    expect(await find(admin, '__')).toEqual([]);
    expect(await find(admin, 'nothing is called that')).toEqual([]);
  });
});

describe('a customer finds', () => {
  it('what is theirs', async () => {
    expect(idsOf(await find(owner, key.value), 'key')).toEqual([key.id]);
    expect(idsOf(await find(owner, requestId), 'record')).toEqual([requestId]);
    expect(idsOf(await find(owner, orderId), 'order')).toEqual([orderId]);
  });

  it('nothing of anyone else, nor of the operator', async () => {
    for (const text of [
      key.value,
      key.prefix,
      requestId,
      orderId,
      'grace',
      'Hong Kong',
      'Spring',
    ]) {
      expect(await find(stranger, text)).toEqual([]);
    }
    expect(idsOf(await find(stranger, catalog.publicId), 'model')).toEqual([catalog.modelId]);
  });
});

describe('a search is refused', () => {
  it.each([[{ text: 'x' }], [{ text: 'x'.repeat(401) }], [{}]])('with %j', async (body) => {
    expect((await fixture.ask('search', { as: admin, body })).status).toBe(400);
  });
});
