import type OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseEvents } from '../../../../support/clients/responses-events.ts';
import { TEST_PRICES } from '../../../../support/seed.ts';
import {
  openStoredService,
  type StoredCustomer,
  type StoredService,
} from '../support/stored-service.ts';
import { REPLY_COST } from '../support/storing-upstream.ts';

type ResponseInput = OpenAI.Responses.ResponseInput;

let service: StoredService;

beforeAll(async () => {
  service = await openStoredService();
});

afterAll(() => service.close());

beforeEach(() => {
  service.upstream.seen.length = 0;
  service.plain.seen.length = 0;
});

const SIGNED = /^(?:rs|msg)_resp_kept_\d+_w[0-9a-f]{24}$/;
const USER = { role: 'user', content: 'Hello' } as const;

function usedCredentials(): Set<string> {
  return new Set(service.upstream.seen.map(({ credential }) => credential));
}

function post({ key }: Pick<StoredCustomer, 'key'>, path: string, body: object) {
  return fetch(`${service.gateway.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

function ask({ client }: StoredCustomer, more: object, input: ResponseInput = [USER]) {
  return client.responses.create({ model: 'stored', input, ...more, stream: false });
}

describe('a conversation', () => {
  it('is made free of charge, and goes on at its credential at exactly its usage', async () => {
    const customer = await service.newCustomer();
    const made = await customer.client.conversations.create({ metadata: { topic: 'x' } });
    expect(made).toMatchObject({ id: expect.stringMatching(/^conv_[\w-]{80,}$/) as string });
    expect(made.metadata).toEqual({ topic: 'x' });
    for (const conversation of [made.id, { id: made.id }, made.id, made.id]) {
      const reply = await ask(customer, { conversation, store: conversation === made.id });
      expect(reply.conversation).toEqual({ id: made.id });
    }
    const { seen } = service.upstream;
    expect(seen.map(({ path }) => path)).toEqual([
      '/v1/conversations',
      ...Array.from({ length: 4 }, () => '/v1/responses'),
    ]);
    expect(seen[1]?.body['conversation']).toMatch(/^conv_kept_\d+$/);
    expect(usedCredentials().size).toBe(1);
    expect(service.plain.seen).toEqual([]);
    expect(await customer.spent()).toBe(4 * REPLY_COST);
  });

  it('is named alike in every event of a stream, and in the stored response', async () => {
    const customer = await service.newCustomer();
    const { id } = await customer.client.conversations.create();
    const raw = await post(customer, 'responses', {
      ...{ model: 'stored', input: 'Hello', conversation: id, stream: true },
    });
    const events = parseEvents(await raw.text());
    const replies = events.flatMap(
      (event) => (event['response'] as { id: string; conversation: unknown } | undefined) ?? [],
    );
    expect(replies.map(({ conversation }) => conversation)).toEqual([{ id }, { id }]);
    const stored = await customer.client.responses.retrieve(replies[0]?.id ?? '');
    expect(stored.conversation).toEqual({ id });
  });

  it('is read, changed, listed and deleted by its owner, items by ids that can be used again', async () => {
    const customer = await service.newCustomer();
    const { conversations } = customer.client;
    const { id } = await conversations.create({ items: [USER] });
    expect((await conversations.retrieve(id)).id).toBe(id);
    expect((await conversations.update(id, { metadata: {} })).id).toBe(id);
    const added = await conversations.items.create(id, { items: [USER] });
    const listed = await conversations.items.list(id, { after: added.last_id, limit: 2 });
    const itemId = listed.data[0]?.id ?? '';
    expect(itemId).toMatch(/^msg_in_conv_kept_\d+_w[0-9a-f]{24}$/);
    expect(added.last_id).toBe(itemId);
    const read = await conversations.items.retrieve(itemId, { conversation_id: id });
    expect(read.id).toBe(itemId);
    await ask(customer, {}, [{ type: 'item_reference', id: itemId }, USER]);
    expect((await conversations.items.delete(itemId, { conversation_id: id })).id).toBe(id);
    expect(await conversations.delete(id)).toMatchObject({ id, deleted: true });
    await expect(conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
    const asked = service.upstream.seen.map(({ method, path }) =>
      `${method} ${path}`.replaceAll(/_kept_\d+/g, ''),
    );
    expect(asked).toEqual([
      'POST /v1/conversations',
      'GET /v1/conversations/conv',
      'POST /v1/conversations/conv',
      'POST /v1/conversations/conv/items',
      'GET /v1/conversations/conv/items?after=msg_in_conv&limit=2',
      'GET /v1/conversations/conv/items/msg_in_conv',
      'POST /v1/responses',
      'DELETE /v1/conversations/conv/items/msg_in_conv',
      'DELETE /v1/conversations/conv',
      'GET /v1/conversations/conv',
    ]);
    expect(usedCredentials().size).toBe(1);
    expect(await customer.spent()).toBe(REPLY_COST);
  });

  it('is another customer’s no more than what never was', async () => {
    const [owner, other] = [await service.newCustomer(), await service.newCustomer()];
    const { id } = await owner.client.conversations.create();
    const reply = await ask(owner, { conversation: id });
    service.upstream.seen.length = 0;
    const { conversations } = other.client;
    const asReply = id.replace('conv_', 'resp_');
    const asConversation = reply.id.replace('resp_', 'conv_');
    for (const tried of [id, `${id.slice(0, -4)}AAAA`, 'conv_kept_1', asConversation, '']) {
      await expect(ask(other, { conversation: tried })).rejects.toMatchObject({
        ...{ status: 400, param: 'conversation', code: 'unsupported_parameter' },
        message: expect.stringContaining('"store": false') as unknown,
      });
      if (tried === '') continue;
      for (const act of [
        () => conversations.retrieve(tried),
        () => conversations.update(tried, { metadata: {} }),
        () => conversations.delete(tried),
        () => conversations.items.list(tried),
        () => conversations.items.create(tried, { items: [USER] }),
        () => conversations.items.retrieve('msg_in', { conversation_id: tried }),
        () => conversations.items.delete('msg_in', { conversation_id: tried }),
      ]) {
        await expect(act()).rejects.toMatchObject({ status: 404, code: 'not_found' });
      }
    }
    // Nor is one thing another of the same owner.
    await expect(ask(owner, { conversation: asConversation })).rejects.toMatchObject({
      status: 400,
    });
    await expect(ask(owner, { previous_response_id: asReply })).rejects.toMatchObject({
      status: 400,
    });
    const unknown = service.clientOf('sk-unknown');
    await expect(unknown.conversations.create()).rejects.toMatchObject({ status: 401 });
    expect(service.upstream.seen).toEqual([]);
    expect(await other.spent()).toBe(0);
  });

  it('is no answer to a response before it, and holds no files or references', async () => {
    const customer = await service.newCustomer();
    const { id } = await customer.client.conversations.create();
    const reply = await ask(customer, { conversation: id });
    const both = { conversation: id, previous_response_id: reply.id };
    await expect(ask(customer, both)).rejects.toMatchObject({ status: 400 });
    service.upstream.seen.length = 0;
    const file = { type: 'input_file', file_id: 'file-1' };
    const [thought, message] = reply.output;
    for (const item of [
      { role: 'user', content: [file] },
      { type: 'item_reference', id: message?.id },
      { type: 'item_reference', id: 'msg_1' },
      thought,
    ]) {
      for (const path of ['conversations', `conversations/${id}/items`]) {
        const refused = await post(customer, path, { items: [item] });
        expect(refused.status).toBe(400);
        expect(await refused.json()).toMatchObject({
          error: { param: expect.stringMatching(/^items\[0\]/) as string },
        });
      }
    }
    expect((await post(customer, 'conversations', { model: 'stored' })).status).toBe(400);
    expect((await post(customer, 'conversations', { items: 'x' })).status).toBe(400);
    expect((await post(customer, 'conversations', { metadata: 'x' })).status).toBe(400);
    expect(service.upstream.seen).toEqual([]);
  });

  it('waits for its credential, and is refused where that is gone', async () => {
    const customer = await service.newCustomer();
    const { conversations } = customer.client;
    let credential = '';
    let id = '';
    while (!credential.startsWith('stored-key')) {
      ({ id } = await conversations.create());
      credential = service.upstream.seen.at(-1)?.credential ?? '';
    }
    await service.setCredential(credential, 'disabled');
    service.upstream.seen.length = 0;
    await expect(ask(customer, { conversation: id })).rejects.toMatchObject({
      ...{ status: 400, param: 'conversation' },
      message: expect.stringContaining('not used here any more') as unknown,
    });
    await expect(conversations.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect(service.upstream.seen).toEqual([]);
    await service.setCredential(credential, 'active');
    expect((await ask(customer, { conversation: id })).status).toBe('completed');
    await expect(ask(customer, { conversation: id, model: 'plain' })).rejects.toMatchObject({
      ...{ status: 400, param: 'conversation' },
    });
    expect(service.plain.seen).toEqual([]);
  });

  it('holds for the whole context, of which the request shows nothing', async () => {
    const context = (128_000 * TEST_PRICES.inputNanoUsd) / 1_000_000;
    const customer = await service.newCustomer(context);
    const { id } = await customer.client.conversations.create();
    await expect(ask(customer, { conversation: id })).rejects.toMatchObject({
      ...{ status: 429, code: 'insufficient_quota' },
    });
    expect(await customer.spent()).toBe(0);
  });
});

describe('an item of a reply', () => {
  it('is referred to at the credential that has made it, whole or streamed', async () => {
    const customer = await service.newCustomer();
    const whole = await ask(customer, {});
    const streamed = await customer.client.responses
      .stream({ model: 'stored', input: 'Hello' })
      .finalResponse();
    for (const { output } of [whole, streamed]) {
      service.upstream.seen.length = 0;
      expect(output.map(({ id }) => id)).toEqual([
        expect.stringMatching(SIGNED),
        expect.stringMatching(SIGNED),
      ]);
      const references = output.map(({ id = '' }) => ({ type: 'item_reference', id }) as const);
      for (let turn = 0; turn < 5; turn += 1) {
        expect((await ask(customer, {}, [...references, USER])).status).toBe('completed');
      }
      expect(usedCredentials().size).toBe(1);
      const [first] = service.upstream.seen.at(-1)?.body['input'] as { id: string }[];
      expect(first?.id).toMatch(/^rs_resp_kept_\d+$/);
    }
    expect(service.plain.seen).toEqual([]);
    expect(await customer.spent()).toBe(12 * REPLY_COST);
  });

  it('has one id in all events of a stream, and its text stays as it was', async () => {
    const customer = await service.newCustomer();
    const raw = await post(customer, 'responses', { model: 'stored', input: 'x', stream: true });
    const text = await raw.text();
    const events = parseEvents(text) as unknown as {
      readonly item_id?: string;
      readonly delta?: string;
      readonly item?: { readonly id: string };
      readonly response?: { readonly output: readonly { readonly id: string }[] };
    }[];
    const ids = events.flatMap(({ item_id: itemId, item, response }) => [
      ...(itemId === undefined ? [] : [itemId]),
      ...(item === undefined ? [] : [item.id]),
      ...(response?.output ?? []).map(({ id }) => id),
    ]);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(SIGNED);
    expect(events.map(({ delta = '' }) => delta).join('')).toBe('Good "msg_day"');
  });

  it('goes along in a history that is sent whole, under the id that its upstream knows', async () => {
    const customer = await service.newCustomer();
    const { output } = await ask(customer, {});
    const history = [USER, ...output, USER] as ResponseInput;
    const { credential } = service.upstream.seen[0] ?? {};
    for (let turn = 0; turn < 5; turn += 1) await ask(customer, {}, history);
    expect(usedCredentials()).toEqual(new Set([credential]));
    const sent = service.upstream.seen.at(-1)?.body['input'] as { id?: string }[];
    expect(sent.map(({ id = '' }) => id.replace(/\d+$/, ''))).toEqual([
      ...['', 'rs_resp_kept_', 'msg_resp_kept_', ''],
    ]);
    // Elsewhere the thought is nothing, and the message says all by itself.
    await ask(customer, { model: 'plain' }, history);
    const elsewhere = service.plain.seen.at(-1)?.body['input'] as { id?: string }[];
    expect(elsewhere.map(({ id = '' }) => id.replace(/\d+$/, ''))).toEqual([
      ...['', 'msg_resp_kept_', ''],
    ]);
    expect(await customer.spent()).toBe(7 * REPLY_COST);
  });

  it('is another customer’s no more than what never was', async () => {
    const [owner, other] = [await service.newCustomer(), await service.newCustomer()];
    const { output } = await ask(owner, {});
    const [thought, message] = output;
    const id = message?.id ?? '';
    service.upstream.seen.length = 0;
    for (const tried of [id, id.replace(/_w.*/, ''), id.replace(/.$/, 'x'), 'msg_1', `${id}0`]) {
      await expect(ask(other, {}, [{ type: 'item_reference', id: tried }])).rejects.toMatchObject({
        status: 400,
        param: 'input[0]',
      });
    }
    await expect(
      ask(owner, { model: 'plain' }, [{ type: 'item_reference', id }]),
    ).rejects.toMatchObject({ status: 400, param: 'input[0]' });
    expect(service.upstream.seen).toEqual([]);
    // Reasoning without content is no more than its id.
    await ask(other, {}, [thought, USER] as ResponseInput);
    expect(service.upstream.seen.at(-1)?.body['input']).toEqual([USER]);
    expect(await other.spent()).toBe(REPLY_COST);
  });
});

it('where no channel stores anything a conversation is refused with what to send', async () => {
  const customer = await service.newCustomer();
  const mark = async (stores: boolean): Promise<void> => {
    const change = 'update channels set stores_responses = $2 where id = $1';
    await service.pool.query(change, [service.channelId, stores]);
    await service.gateway.republish();
  };
  const { id } = await customer.client.conversations.create();
  const { output } = await ask(customer, {});
  const itemId = output[0]?.id ?? '';
  service.upstream.seen.length = 0;
  await mark(false);
  await expect(customer.client.conversations.create()).rejects.toMatchObject({
    ...{ status: 404, code: 'unknown_url' },
    message: expect.stringContaining('Send "store": false') as unknown,
  });
  for (const [more, input] of [
    [{ conversation: id }, [USER]],
    [{}, [{ type: 'item_reference', id: itemId }]],
  ] as const) {
    await expect(ask(customer, more, [...input])).rejects.toMatchObject({ status: 400 });
  }
  expect(service.upstream.seen).toEqual([]);
  await mark(true);
  expect((await ask(customer, { conversation: id })).status).toBe('completed');
});
