/**
 * Clients of the four protocols get the same over Vertex as over the vendors' own interfaces, for
 * the same money.
 */
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { startAnthropicUpstream } from '../../../support/upstreams/anthropic-upstream.ts';
import { startFakeGemini } from '../../../support/upstreams/fake-gemini.ts';
import {
  startFakeGoogle,
  type FakeGoogle,
} from '../../../support/upstreams/fake-google/fake-google.ts';
import { startGatewayInProcess } from '../../../support/gateway-in-process.ts';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase } from '../../../support/stores/postgres.ts';
import { seedVertex } from '../../../support/upstreams/vertex-channels.ts';
import { PROOF, type Turn } from '../../data-plane/settlement/support/turn-upstreams.ts';
import { bodyOf, CLIENTS, type Ask, type Client } from '../../protocols/support/strict/ask.ts';
import { tool } from '../../protocols/support/strict/hostile-tools.ts';
import { replyTo } from './support/reply-to.ts';

type Json = Readonly<Record<string, unknown>>;

interface Case {
  readonly name: string;
  readonly ask: Ask;
  readonly turn: Turn;
}

const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'number' } },
  required: ['a'],
  additionalProperties: false,
};
const CALLS = ['first', 'second'].map((name) => ({ id: `toolu_${name}`, name, input: { a: 1 } }));
const CASES: readonly Case[] = [
  { name: 'text', ask: {}, turn: { pieces: ['It is ', 'done.'] } },
  {
    name: 'parallel calls',
    ask: { tools: [tool('first'), tool('second')] },
    turn: { pieces: ['I call both.'], calls: CALLS },
  },
  { name: 'an image', ask: { image: { type: 'image/png' } }, turn: { pieces: ['A pixel.'] } },
  {
    name: 'thinking',
    ask: { effort: 'high', tools: [tool('first'), tool('second')] },
    turn: { thought: 'Let me see.', calls: CALLS },
  },
  {
    name: 'structured output',
    ask: { format: { schema: SCHEMA, strict: true } },
    turn: { pieces: ['{"a":1}'] },
  },
];

/** Requests for one model: whole and streamed. */
const ALL = CLIENTS.length * CASES.length * 2;

const MAKERS = {
  claude: {
    protocol: 'anthropic-messages',
    client: 'messages',
    kind: 'anthropic',
    upstreamName: 'claude-sonnet-4-5@20250929',
  },
  gemini: { protocol: 'gemini', client: 'gemini', kind: 'gemini', upstreamName: 'gemini-2.5-pro' },
} as const;
type Maker = keyof typeof MAKERS;

let pool: pg.Pool;
let google: FakeGoogle;
let url = '';
let key = '';
/** The reply of every upstream. */
let turn: Turn = {};
let isCut = false;
let stays = false;
const nativeBodies: Json[] = [];
const closing: (() => Promise<unknown>)[] = [];

const reply = (maker: Maker, isStreamed: boolean) => ({
  ...replyTo(MAKERS[maker].protocol, turn, { isStreamed, isCut }),
  ...(stays && { stays }),
});

beforeAll(async () => {
  const database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  google = await startFakeGoogle();
  google.reply = ({ publisher, method }) =>
    reply(publisher === 'google' ? 'gemini' : 'claude', method.startsWith('stream'));
  const anthropic = await startAnthropicUpstream();
  anthropic.script = ({ body }) => {
    nativeBodies.push(body);
    return reply('claude', body['stream'] === true);
  };
  const gemini = await startFakeGemini();
  gemini.reply = ({ path, body }) => {
    nativeBodies.push(body);
    return reply('gemini', path.includes(':stream'));
  };
  const makers = Object.keys(MAKERS) as Maker[];
  const seeded = await seedVertex(pool, {
    baseUrls: [google.baseUrl(), google.baseUrl(), anthropic.url, gemini.url],
    credentials: [google.keyFile],
    models: [
      ...makers.map((maker) => ({ publicId: `vertex-${maker}`, ...MAKERS[maker] })),
      ...makers.map((maker) => ({ publicId: `native-${maker}`, ...MAKERS[maker] })),
    ],
  });
  // One channel for each model.
  for (const [index, id] of ['vertex', 'vertex', 'native', 'native'].entries()) {
    const channelId = seeded.channelIds[index];
    const maker = makers[index % makers.length] ?? 'claude';
    if (id === 'native') {
      await pool.query(`update channels set kind = $2 where id = $1`, [
        channelId,
        MAKERS[maker].kind,
      ]);
      await pool.query(`delete from channel_credentials where channel_id = $1`, [channelId]);
    }
    await pool.query(
      `delete from channel_models where channel_id = $1 and model_id not in
         (select id from models where public_id = $2)`,
      [channelId, `${id}-${maker}`],
    );
  }
  const gateway = await startGatewayInProcess({ pool, databaseUrl: database.url });
  url = gateway.url;
  key = seeded.key;
  closing.push(
    () => gateway.close(),
    () => google.close(),
    () => anthropic.close(),
    () => gemini.close(),
    () => pool.end(),
    () => database.drop(),
  );
});

afterAll(async () => {
  for (const close of closing) await close();
});

function pathOf(client: Client, model: string, stream: boolean): string {
  if (client === 'gemini') {
    const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    return `/v1beta/models/${model}:${method}`;
  }
  return { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }[
    client
  ];
}

interface Sent {
  readonly client: Client;
  readonly model: string;
  readonly ask: Ask;
  readonly stream: boolean;
  readonly signal?: AbortSignal;
}

function send({ client, model, ask, stream, signal }: Sent): Promise<Response> {
  const body = bodyOf(client, ask);
  return fetch(url + pathOf(client, model, stream), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(client === 'gemini' ? body : { ...body, model, stream }),
    ...(signal && { signal }),
  });
}

/** The cost of each of a model's requests. */
async function bills(model: string, count: number): Promise<readonly number[]> {
  return until('the bills are written', async () => {
    const { rows } = await pool.query<{ cost: number }>(
      `select cost_nano_usd as cost from usage_records where model = $1
       order by created_at, request_id`,
      [model],
    );
    return rows.length === count && rows.map(({ cost }) => cost);
  });
}

/** Without the members that Vertex has in other places. */
function withoutMoved(body: Json = {}): Json {
  const { model: _model, anthropic_version: _version, ...rest } = body;
  return rest;
}

/** Without what is new in each reply. */
function plain(text: string, model: string): string {
  return text
    .replaceAll(model, 'model')
    .replaceAll(/"(id|item_id|response_id|responseId)":"[^"]*"/g, '"$1":""')
    .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');
}

describe.each(Object.keys(MAKERS) as Maker[])('%s at Vertex', (maker) => {
  describe.each(CLIENTS)('replies to a %s client', (client) => {
    it.each(CASES)('with $name as at home', async ({ ask, turn: replied }) => {
      turn = replied;
      for (const stream of [false, true]) {
        const [vertex, native] = [`vertex-${maker}`, `native-${maker}`];
        const over = await send({ client, model: vertex, ask, stream });
        const text = await over.text();
        expect(over.status, text).toBe(200);
        const home = await send({ client, model: native, ask, stream });
        expect(plain(text, vertex)).toBe(plain(await home.text(), native));
        for (const { name } of replied.calls ?? []) expect(text).toContain(name);
        if (client !== MAKERS[maker].client) continue;
        if (replied.thought !== undefined) expect(text).toContain(PROOF);
        expect(withoutMoved(google.requests.at(-1)?.body)).toEqual(
          withoutMoved(nativeBodies.at(-1)),
        );
      }
    });
  });

  it('is asked without a model and with the version in the body', () => {
    const mine = google.requests.filter(({ publisher }) =>
      maker === 'gemini' ? publisher === 'google' : publisher === 'anthropic',
    );
    expect(mine).toHaveLength(ALL);
    for (const { body, headers } of mine) {
      expect(headers['anthropic-version']).toBeUndefined();
      const version = maker === 'claude' ? 'vertex-2023-10-16' : undefined;
      expect(body['anthropic_version']).toBe(version);
      expect(body).not.toHaveProperty('model');
    }
  });

  it('costs what it costs at home', async () => {
    const [vertex, native] = [
      await bills(`vertex-${maker}`, ALL),
      await bills(`native-${maker}`, ALL),
    ];
    expect(vertex).toEqual(native);
    expect(Math.min(...vertex)).toBeGreaterThan(0);
  });
});

describe.each(Object.keys(MAKERS) as Maker[])('a stream of %s that ends early', (maker) => {
  it('is broken off for the client, and costs as much as at home', async () => {
    turn = { pieces: ['It is ', 'never ', 'done.'] };
    isCut = true;
    const texts: string[] = [];
    for (const where of ['vertex', 'native']) {
      const model = `${where}-${maker}`;
      const response = await send({ client: 'chat', model, ask: {}, stream: true });
      texts.push(plain(await response.text(), model));
    }
    isCut = false;
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain('"error"');
    const [vertex, native] = [
      await bills(`vertex-${maker}`, ALL + 1),
      await bills(`native-${maker}`, ALL + 1),
    ];
    expect(vertex).toEqual(native);
    expect(vertex.at(-1)).toBeGreaterThan(0);
  });

  it('is ended at Vertex when the client leaves', async () => {
    turn = { pieces: ['It is ', 'not over.'] };
    isCut = true;
    stays = true;
    const leaving = new AbortController();
    const { signal } = leaving;
    const model = `vertex-${maker}`;
    const response = await send({ client: 'messages', model, ask: {}, stream: true, signal });
    await response.body?.getReader().read();
    leaving.abort();
    await until('Vertex is left', () => google.underWay === 0);
    isCut = false;
    stays = false;
    expect((await bills(model, ALL + 2)).at(-1)).toBeGreaterThan(0);
  });
});
