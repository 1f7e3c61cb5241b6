import OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { parseEvents, responsesEvent, textOf } from '../../../support/clients/responses-events.ts';
import { seed, seedModel, type Seeded } from '../../../support/seed.ts';
import {
  startSlowStreamUpstream,
  type SlowScript,
  type SlowStreamUpstream,
} from '../../../support/upstreams/slow-stream-upstream.ts';

let database: TestDatabase;
let pool: pg.Pool;
let upstreams: SlowStreamUpstream[];
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  upstreams = [await startSlowStreamUpstream(), await startSlowStreamUpstream()];
  const urls = upstreams.map(({ url }) => url);
  seeded = await seed(pool, { upstreams: urls, creditNanoUsd: 100_000_000_000, models: [] });
  const { channelIds, groupId } = seeded;
  const [first = '', second = ''] = channelIds;
  await pool.query(
    `update channels set protocols = '{openai-responses}', priority = 1
                    where id = $1`,
    [first],
  );
  const upstreamName = 'upstream-model';
  for (const [publicId, ids] of [
    ['native', [first]],
    ['over-chat', [second]],
    ['first-native', [first, second]],
  ] as const) {
    await seedModel(pool, {}, { publicId, upstreamName, groupId, channelIds: ids });
  }
  gateway = await startGateway({
    databaseUrl: database.url,
    redisUrl: null,
    env: { KEEP_ALIVE_COMMENT_MS: '100' },
  });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  for (const upstream of upstreams) await upstream.close();
  await pool.end();
  await database.drop();
});

const RESPONSE = { id: 'resp_1', object: 'response', created_at: 1, model: 'upstream-model' };
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', content: [] as object[] };
const PART = { type: 'output_text', text: 'Hi', annotations: [] };
const AT = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const USAGE = { input_tokens: 5, output_tokens: 1, total_tokens: 6 };
const NATIVE_BEGUN = [
  responsesEvent('response.created', 0, {
    response: { ...RESPONSE, status: 'in_progress', instructions: 'Be brief', output: [] },
  }),
  responsesEvent('response.in_progress', 1, {
    response: { ...RESPONSE, status: 'in_progress', output: [] },
  }),
  responsesEvent('response.output_item.added', 2, { output_index: 0, item: MESSAGE }),
];
const NATIVE_REST = [
  responsesEvent('response.content_part.added', 3, { ...AT, part: { ...PART, text: '' } }),
  responsesEvent('response.output_text.delta', 4, { ...AT, delta: 'Hi', logprobs: [] }),
  responsesEvent('response.output_text.done', 5, { ...AT, text: 'Hi', logprobs: [] }),
  responsesEvent('response.content_part.done', 6, { ...AT, part: PART }),
  responsesEvent('response.output_item.done', 7, {
    output_index: 0,
    item: { ...MESSAGE, content: [PART] },
  }),
  responsesEvent('response.completed', 8, {
    response: {
      ...RESPONSE,
      status: 'completed',
      output: [{ ...MESSAGE, content: [PART] }],
      usage: USAGE,
    },
  }),
];

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
}
const CHAT_BEGUN = [chunk({ role: 'assistant', content: '' })];
const CHAT_REST = [chunk({ content: 'Hi' }), chunk({}, 'stop'), 'data: [DONE]\n\n'];

/** Reads a stream, and opens the gate when an event has kept it alive. */
async function readKeptAlive(model: string, open: () => void): Promise<string> {
  const response = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'Hello', stream: true, store: false }),
  });
  expect(response.status).toBe(200);
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    if (text.includes('response.in_progress')) open();
  }
  return text;
}

function gate(): { readonly opened: Promise<unknown>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    opened: promise,
    open: () => {
      resolve(undefined);
    },
  };
}

function play(index: number, script: SlowScript): void {
  const upstream = upstreams[index];
  if (upstream !== undefined) upstream.script = script;
}

const NATIVE = { model: 'native', index: 0, begun: NATIVE_BEGUN, rest: NATIVE_REST };
const OVER_CHAT = { model: 'over-chat', index: 1, begun: CHAT_BEGUN, rest: CHAT_REST };
const SILENT = [NATIVE, OVER_CHAT].flatMap((served) => [
  { ...served, when: 'before its head' },
  { ...served, when: 'behind its first events' },
]);

describe.each(SILENT)(
  'a stream whose upstream is silent $when, of the model $model',
  ({ when, model, index, begun, rest }) => {
    const slow = () => {
      const { opened, open } = gate();
      if (when === 'before its head') {
        play(index, { first: [], rest: [...begun, ...rest], untilHead: opened });
      } else play(index, { first: begun, rest, untilRest: opened });
      return open;
    };

    it('is kept alive by events that Codex counts, as one response', async () => {
      const text = await readKeptAlive(model, slow());
      const events = parseEvents(text);
      expect(text).not.toContain(': keep-alive');
      const types = events.map(({ type }) => type);
      expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
      expect(types.filter((type) => type === 'response.created')).toHaveLength(1);
      expect(types.at(-1)).toBe('response.completed');
      const ids = events.flatMap(
        ({ response }) => (response as { id: string } | undefined)?.id ?? [],
      );
      expect(new Set(ids).size).toBe(1);
      expect(textOf(events)).toBe('Hi');
      const numbers = events.map((event) => event.sequence_number);
      expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    });

    it.each([
      ['7', OpenAI],
      ['6', OpenAI6 as unknown as typeof OpenAI],
    ])('is whole for OpenAI’s SDK %s', async (_version, Client) => {
      const open = slow();
      const client = new Client({
        baseURL: `${gateway.url}/v1`,
        apiKey: seeded.key,
        maxRetries: 0,
      });
      const stream = client.responses.stream({ model, input: 'Hello', store: false });
      stream.on('response.in_progress', open);
      const response = await stream.finalResponse();
      expect(response).toMatchObject({ status: 'completed', output_text: 'Hi', model });
    });
  },
);

it('a refusal behind such an event ends the same response as failed', async () => {
  const { opened, open } = gate();
  play(0, { first: [], rest: [], untilHead: opened, status: 400 });
  const events = parseEvents(await readKeptAlive('native', open));
  expect(events.map(({ type }) => type).filter((type) => type !== 'response.in_progress')).toEqual([
    'response.created',
    'response.failed',
  ]);
  const [created, failed] = [events[0], events.at(-1)];
  expect(failed).toMatchObject({ response: { id: (created?.['response'] as { id: string }).id } });
});

it('the next channel goes on with the response that has begun', async () => {
  const { opened, open } = gate();
  play(0, { first: NATIVE_BEGUN, rest: [], untilRest: opened });
  play(1, { first: CHAT_BEGUN, rest: CHAT_REST });
  const events = parseEvents(await readKeptAlive('first-native', open));
  const ids = events.flatMap(({ response }) => (response as { id: string } | undefined)?.id ?? []);
  expect(new Set(ids).size).toBe(1);
  expect(textOf(events)).toBe('Hi');
  expect(events.at(-1)?.type).toBe('response.completed');
});

it('an upstream that refuses in time is answered with its status', async () => {
  play(0, { first: [], rest: [], status: 400 });
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: seeded.key, maxRetries: 0 });
  const asked = client.responses.create({ model: 'native', input: 'x', stream: true });
  await expect(asked).rejects.toMatchObject({ status: 400 });
});
