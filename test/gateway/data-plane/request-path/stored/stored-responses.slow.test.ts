import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseEvents } from '../../../../support/clients/responses-events.ts';
import { TEST_PRICES } from '../../../../support/seed.ts';
import { REPLY_COST } from '../support/storing-upstream.ts';
import {
  openStoredService,
  type StoredCustomer,
  type StoredService,
} from '../support/stored-service.ts';

let service: StoredService;

beforeAll(async () => {
  service = await openStoredService();
});

afterAll(() => service.close());

beforeEach(() => {
  service.upstream.seen.length = 0;
  service.plain.seen.length = 0;
});

const NOT_FOUND = {
  status: 400,
  code: 'previous_response_not_found',
  param: 'previous_response_id',
};

function ask({ client }: Pick<StoredCustomer, 'client'>, previous?: string, model = 'stored') {
  return client.responses.create({ model, input: 'Hello', previous_response_id: previous ?? null });
}

/** The first reply that was made with a credential that tests may switch off. */
async function askedWithNamed(customer: StoredCustomer) {
  for (let asked = 0; asked < 200; asked += 1) {
    const { id } = await ask(customer);
    const credential = service.upstream.seen.at(-1)?.credential ?? '';
    if (credential.startsWith('stored-key')) return { id, credential };
  }
  throw new Error('none of the named credentials was used');
}

describe('a conversation that goes on from stored replies', () => {
  it('stays at the credential that has made them, at exactly its usage', async () => {
    const customer = await service.newCustomer();
    const first = await ask(customer);
    let { id } = first;
    for (let turn = 0; turn < 8; turn += 1) {
      const next = await ask(customer, id);
      expect(next.previous_response_id).toBe(id);
      expect(next.model).toBe('stored');
      expect(next.id).not.toBe(id);
      ({ id } = next);
    }
    const { seen } = service.upstream;
    expect(new Set(seen.map(({ credential }) => credential)).size).toBe(1);
    expect(seen.at(1)?.body['previous_response_id']).toMatch(/^resp_kept_\d+$/);
    expect(service.plain.seen).toEqual([]);
    expect(await customer.spent()).toBe(9 * REPLY_COST);
  });

  it('spreads over credentials with other conversations', async () => {
    const customer = await service.newCustomer();
    for (let asked = 0; asked < 24; asked += 1) await ask(customer);
    const used = new Set(service.upstream.seen.map(({ credential }) => credential));
    expect(used.size).toBeGreaterThan(1);
  });

  it('goes on in streams, whose events all have one id', async () => {
    const customer = await service.newCustomer();
    const { id: first } = await ask(customer);
    const asked = { model: 'stored', input: 'Hello', previous_response_id: first };
    const response = await customer.client.responses.stream(asked).finalResponse();
    expect(response).toMatchObject({ previous_response_id: first, output_text: 'Good "msg_day"' });
    const raw = await fetch(`${service.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...asked, stream: true, previous_response_id: response.id }),
    });
    const events = parseEvents(await raw.text());
    const replies = events.flatMap(
      (event) => (event['response'] as { id: string } | undefined) ?? [],
    );
    expect(replies).toHaveLength(2);
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
    expect((await ask(customer, replies[0]?.id)).status).toBe('completed');
    const used = new Set(service.upstream.seen.map(({ credential }) => credential));
    expect(used.size).toBe(1);
  });

  it('goes on at another process, and after a restart', async () => {
    const customer = await service.newCustomer();
    const { id } = await ask(customer);
    const other = await service.startOther();
    const client = service.clientOf(customer.key, other);
    const next = await ask({ client }, id);
    expect((await ask(customer, next.id)).status).toBe('completed');
    const used = new Set(service.upstream.seen.map(({ credential }) => credential));
    expect(used.size).toBe(1);
  });

  it('is another customer’s no more than what never was', async () => {
    const [owner, other] = [await service.newCustomer(), await service.newCustomer()];
    const { id } = await ask(owner);
    service.upstream.seen.length = 0;
    const refusals: unknown[] = [];
    const altered = `${id.slice(0, -4)}AAAA`;
    for (const tried of [
      id,
      altered,
      'resp_1',
      'resp_kept_1',
      `resp_${'A'.repeat(200)}`,
      'x',
      '',
    ]) {
      const { error, status, headers } = (await ask(other, tried).catch(
        (caught: unknown) => caught,
      )) as {
        readonly error: { readonly message: string };
        readonly status: number;
        readonly headers: Headers;
      };
      // The id is quoted, cut where it looks like a key.
      const message = error.message.replace(/"[^"]*"/, '…');
      refusals.push({ ...error, message, status, retry: headers.get('x-should-retry') });
    }
    expect(refusals[0]).toMatchObject(NOT_FOUND);
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(service.upstream.seen).toEqual([]);
    expect(await other.spent()).toBe(0);
  });

  it('is not stored where the request or the channel says so', async () => {
    const customer = await service.newCustomer();
    const { client } = customer;
    const unstored = await client.responses.create({ model: 'stored', input: 'x', store: false });
    expect(unstored.id).toMatch(/^resp_kept_\d+$/);
    await expect(ask(customer, unstored.id)).rejects.toMatchObject(NOT_FOUND);
    const plain = await ask(customer, undefined, 'plain');
    expect(plain.id).toMatch(/^resp_plain_\d+$/);
    await expect(ask(customer, plain.id, 'plain')).rejects.toMatchObject(NOT_FOUND);
  });

  it('does not go on with a model that another upstream serves', async () => {
    const customer = await service.newCustomer();
    const { id } = await ask(customer);
    await expect(ask(customer, id, 'plain')).rejects.toMatchObject({
      ...NOT_FOUND,
      message: expect.stringContaining('not used here any more') as unknown,
    });
    expect(service.plain.seen).toEqual([]);
  });

  it('holds for the whole context, of which the request shows nothing', async () => {
    const context = (128_000 * TEST_PRICES.inputNanoUsd) / 1_000_000;
    const customer = await service.newCustomer(context);
    const { id } = await customer.client.responses.create({
      model: 'stored',
      input: 'x',
      max_output_tokens: 16,
    });
    const asked = ask(customer, id);
    await expect(asked).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' });
    expect(service.upstream.seen).toHaveLength(1);
    expect(await customer.spent()).toBe(REPLY_COST);
  });
});

describe('where the credential cannot be used', () => {
  it('a conversation is refused when it is gone, and no other credential is asked', async () => {
    const customer = await service.newCustomer();
    const { id, credential } = await askedWithNamed(customer);
    await service.setCredential(credential, 'disabled');
    service.upstream.seen.length = 0;
    await expect(ask(customer, id)).rejects.toMatchObject({
      ...NOT_FOUND,
      message: expect.stringContaining('not used here any more') as unknown,
    });
    expect(service.upstream.seen).toEqual([]);
    await service.setCredential(credential, 'active');
    expect((await ask(customer, id)).status).toBe('completed');
  });

  it('a conversation waits for it while it is limited, and others go on', async () => {
    const customer = await service.newCustomer();
    const { id, credential } = await askedWithNamed(customer);
    const { script } = service.upstream;
    service.upstream.script = { status: 429, body: { error: { message: 'Slow down.' } } };
    const limited = { status: 429, code: 'upstream_rate_limited' };
    await expect(ask(customer, id)).rejects.toMatchObject(limited);
    service.upstream.script = script;
    service.upstream.seen.length = 0;
    await expect(ask(customer, id)).rejects.toMatchObject(limited);
    expect(service.upstream.seen).toEqual([]);
    for (let asked = 0; asked < 8; asked += 1) await ask(customer);
    const used = service.upstream.seen.map((request) => request.credential);
    expect(used).toHaveLength(8);
    expect(used).not.toContain(credential);
    expect(service.plain.seen).toEqual([]);
    await expect
      .poll(
        () =>
          ask(customer, id).then(
            ({ status }) => status,
            () => null,
          ),
        { timeout: 10_000 },
      )
      .toBe('completed');
  });

  it('a reply that the upstream has forgotten is refused by its public id', async () => {
    const customer = await service.newCustomer();
    const { id } = await ask(customer);
    const { script } = service.upstream;
    for (const status of [400, 404]) {
      const error = { message: 'Response with id resp_kept_77 not found.', code: null };
      const param = status === 400 ? 'previous_response_id' : null;
      service.upstream.script = { status, body: { error: { ...error, param } } };
      await expect(ask(customer, id)).rejects.toMatchObject({
        ...NOT_FOUND,
        message: expect.not.stringContaining('resp_kept') as unknown,
      });
    }
    service.upstream.script = script;
    expect((await ask(customer, id)).status).toBe('completed');
    expect(service.plain.seen).toEqual([]);
  });
});

describe('a stored reply', () => {
  it('is read, listed and deleted by its owner, free of charge', async () => {
    const customer = await service.newCustomer();
    const { client } = customer;
    const first = await ask(customer);
    const second = await ask(customer, first.id);
    const { credential } = service.upstream.seen[0] ?? {};
    service.upstream.seen.length = 0;
    const read = await client.responses.retrieve(second.id, {
      include: ['reasoning.encrypted_content'],
    });
    expect(read).toMatchObject({
      ...{ id: second.id, model: 'stored', previous_response_id: first.id },
      output_text: 'Good "msg_day"',
    });
    const items = await client.responses.inputItems.list(second.id, { limit: 5, order: 'asc' });
    expect(items.data.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^msg_in_resp_kept_\d+_w[0-9a-f]{24}$/),
    ]);
    expect((await client.responses.cancel(second.id)).id).toBe(second.id);
    await client.responses.delete(second.id);
    await expect(client.responses.retrieve(second.id)).rejects.toMatchObject({ status: 404 });
    expect(service.upstream.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      expect.stringMatching(/^GET \/v1\/responses\/resp_kept_\d+\?include/),
      expect.stringMatching(/^GET \/v1\/responses\/resp_kept_\d+\/input_items\?limit=5&order=asc$/),
      expect.stringMatching(/^POST \/v1\/responses\/resp_kept_\d+\/cancel$/),
      expect.stringMatching(/^DELETE \/v1\/responses\/resp_kept_\d+$/),
      expect.stringMatching(/^GET \/v1\/responses\/resp_kept_\d+$/),
    ]);
    expect(new Set(service.upstream.seen.map((request) => request.credential))).toEqual(
      new Set([credential]),
    );
    expect(await customer.spent()).toBe(2 * REPLY_COST);
  });

  it('is not there for anybody else, on any path', async () => {
    const [owner, other] = [await service.newCustomer(), await service.newCustomer()];
    const { id } = await ask(owner);
    service.upstream.seen.length = 0;
    for (const tried of [id, 'resp_1', `${id}x`]) {
      const { responses } = other.client;
      for (const asked of [
        () => responses.retrieve(tried),
        () => responses.delete(tried),
        () => responses.cancel(tried),
        () => responses.inputItems.list(tried),
      ]) {
        await expect(asked()).rejects.toMatchObject({ status: 404, code: 'not_found' });
      }
    }
    const unknown = service.clientOf('sk-unknown');
    await expect(unknown.responses.retrieve(id)).rejects.toMatchObject({ status: 401 });
    expect(service.upstream.seen).toEqual([]);
    expect((await owner.client.responses.retrieve(id)).id).toBe(id);
  });

  it('has no other methods, and no stream', async () => {
    const customer = await service.newCustomer();
    const { id } = await ask(customer);
    const url = `${service.gateway.url}/v1/responses/${id}`;
    const headers = { authorization: `Bearer ${customer.key}` };
    const posted = await fetch(url, { method: 'POST', headers });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, DELETE, OPTIONS']);
    const streamed = await fetch(`${url}?stream=true`, { headers });
    expect(streamed.status).toBe(400);
  });
});

it('a channel that is no longer marked stores nothing', async () => {
  const customer = await service.newCustomer();
  const { id } = await ask(customer);
  const mark = async (stores: boolean): Promise<void> => {
    const change = 'update channels set stores_responses = $2 where id = $1';
    await service.pool.query(change, [service.channelId, stores]);
    await service.gateway.republish();
  };
  await mark(false);
  await expect(ask(customer, id)).rejects.toMatchObject(NOT_FOUND);
  await expect(customer.client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  await mark(true);
  expect((await ask(customer, id)).status).toBe('completed');
});
