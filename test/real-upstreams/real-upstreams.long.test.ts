/**
 * Weir over servers that others have written. The gateways have a strict upstream behind them,
 * which calls the tools that a prompt asks for. llama.cpp has no package with its server: it is
 * asked if `LLAMA_SERVER` names the program and `LLAMA_MODEL` a model, such as one of random
 * weights.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type pg from 'pg';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { bodyOf, CLIENTS, type Ask, type Client } from '../gateway/protocols/support/strict/ask.ts';
import { SIXTY_TOOLS, tool } from '../gateway/protocols/support/strict/hostile-tools.ts';
import { startGatewayInProcess } from '../support/gateway-in-process.ts';
import { HANG_MS } from '../support/clocks/hang.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { seed, seedModel } from '../support/seed.ts';
import {
  startStrictUpstream,
  STRICT_ROWS,
} from '../support/upstreams/strict-upstream/strict-upstream.ts';
import { startLiteLlm, startPortkey } from './support/start-gateways.ts';
import { startServer, type RealServer } from './support/start-server.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS, hookTimeout: 5 * HANG_MS });

const PLAIN = STRICT_ROWS.find(({ vendor }) => vendor.id === 'plain');
if (PLAIN === undefined) throw new Error('there is no plain server');

/** A protocol of an upstream, and the kind of channel that speaks it. */
interface Way {
  readonly name: string;
  readonly kind: 'openai' | 'anthropic';
  readonly protocol: 'openai-chat' | 'openai-responses' | 'anthropic-messages';
}

const CHAT: Way = { name: 'chat completions', kind: 'openai', protocol: 'openai-chat' };
const RESPONSES: Way = { name: 'Responses', kind: 'openai', protocol: 'openai-responses' };
const MESSAGES: Way = { name: 'Messages', kind: 'anthropic', protocol: 'anthropic-messages' };

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 20 }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
};
const TOOLS = [tool('first_tool'), tool('ns.tool')];
const CALLED = [{ id: 'call_a1b2c3d4', name: 'ns.tool', text: 'tool output' }];

const ASKS: Readonly<Record<string, Ask>> = {
  plain: {},
  sampling: { system: 'Be brief.', temperature: 0.5, topP: 0.9, seed: 7, stop: ['###'] },
  effort: { effort: 'high' },
  'sixty tools': { tools: SIXTY_TOOLS },
  'a tool’s result': { tools: TOOLS, turns: [{ user: 'Hi' }, { calls: CALLED }, { user: 'So?' }] },
};
/** The plain server refuses it, by the name of the client's own field. */
const BY_SCHEMA: Ask = { format: { schema: SCHEMA, strict: false } };

interface Upstream {
  readonly name: string;
  readonly ways: readonly Way[];
  readonly model: string;
  readonly profile: string;
  /** It calls the tools that a prompt asks for, as `[call 1]`. */
  readonly callsTools: boolean;
  /** Portkey's own streams fail on Node 20 and 22 ("TypeError: immutable"). */
  readonly streams: boolean;
  readonly start: (strictUrl: string) => Promise<RealServer | undefined>;
}

const { LLAMA_SERVER, LLAMA_MODEL } = process.env;
const UPSTREAMS: readonly Upstream[] = [
  {
    name: 'LiteLLM',
    // In the others it asks its upstream for Responses, which the plain server has not.
    ways: [CHAT],
    model: PLAIN.model,
    profile: 'generic',
    callsTools: true,
    streams: true,
    start: (upstreamUrl) => startLiteLlm({ name: PLAIN.model, upstreamUrl }),
  },
  {
    name: 'Portkey',
    ways: [CHAT],
    model: PLAIN.model,
    profile: 'generic',
    callsTools: true,
    streams: false,
    start: startPortkey,
  },
  {
    name: 'llama.cpp',
    ways: [CHAT, RESPONSES, MESSAGES],
    model: 'random',
    profile: 'llama-cpp',
    callsTools: false,
    streams: true,
    start: async () => {
      if (LLAMA_SERVER === undefined || LLAMA_MODEL === undefined) return undefined;
      return startServer({
        name: 'llama-cpp',
        command: LLAMA_SERVER,
        args: (port) => ['-m', LLAMA_MODEL, '--port', String(port), '--jinja', '-c', '262144'],
        readyPath: '/health',
      });
    },
  },
];

async function openChannel(
  pool: pg.Pool,
  way: Way,
  { groupId, channelId, upstream }: { groupId: string; channelId: string; upstream: Upstream },
): Promise<void> {
  const protocols = way.kind === 'openai' ? [way.protocol] : null;
  await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
    channelId,
    way.kind,
    protocols,
  ]);
  const model = { publicId: way.protocol, upstreamName: upstream.model };
  await seedModel(pool, { outputTokensMax: 64 }, { ...model, groupId, channelIds: [channelId] });
  await pool.query('update channel_models set profile = $2 where channel_id = $1', [
    channelId,
    upstream.profile,
  ]);
}

function pathOf(client: Client, model: string, stream: boolean): string {
  switch (client) {
    case 'chat':
      return '/v1/chat/completions';
    case 'responses':
      return '/v1/responses';
    case 'messages':
      return '/v1/messages';
    case 'gemini':
      return `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
  }
}

describe.each(UPSTREAMS)('over $name', (upstream) => {
  const closing: (() => Promise<void>)[] = [];
  let origin: { readonly url: string; readonly key: string } | undefined;

  beforeAll(async () => {
    const strict = await startStrictUpstream();
    closing.unshift(() => strict.close());
    const server = await upstream.start(strict.urlOf(PLAIN));
    if (server === undefined) return;
    closing.unshift(() => server.stop());
    const database = await createDatabase();
    closing.unshift(() => database.drop());
    const pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
    closing.unshift(() => pool.end());
    const urls = upstream.ways.map(({ kind }) =>
      kind === 'openai' ? `${server.url}/v1` : server.url,
    );
    const { key, groupId, channelIds } = await seed(pool, {
      upstreams: urls,
      models: [],
      timeouts: { firstByteMs: HANG_MS, idleMs: HANG_MS, totalMs: 2 * HANG_MS },
    });
    for (const [at, way] of upstream.ways.entries()) {
      await openChannel(pool, way, { groupId, channelId: channelIds[at] ?? '', upstream });
    }
    const gateway = await startGatewayInProcess({ pool, databaseUrl: database.url });
    closing.unshift(() => gateway.close());
    origin = { url: gateway.url, key };
  });

  afterAll(async () => {
    for (const close of closing) await close();
  });

  async function answer(client: Client, way: Way, { ask, stream }: { ask: Ask; stream: boolean }) {
    if (origin === undefined) throw new Error('nothing is served');
    const body = bodyOf(client, ask);
    const named = client === 'gemini' ? body : { ...body, model: way.protocol, stream };
    const response = await fetch(origin.url + pathOf(client, way.protocol, stream), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${origin.key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify(named),
    });
    const text = await response.text();
    return `${String(response.status)} ${text}`;
  }

  const cells = upstream.ways.flatMap((way) =>
    CLIENTS.flatMap((client) =>
      (upstream.streams ? [false, true] : [false]).map((stream) => ({ way, client, stream })),
    ),
  );

  it.for(cells)(
    'a client of $client is served by $way.name, streamed: $stream',
    async ({ way, client, stream }, { skip }) => {
      if (origin === undefined) skip('its server is not there');
      const faults: Record<string, string> = {};
      const asks = upstream.callsTools ? ASKS : { ...ASKS, 'JSON by a schema': BY_SCHEMA };
      for (const [name, ask] of Object.entries(asks)) {
        const text = await answer(client, way, { ask, stream });
        if (!text.startsWith('200 ') || /"error":\s*[{"]/.test(text))
          faults[name] = text.slice(0, 700);
      }
      if (upstream.callsTools) {
        const ask = { tools: TOOLS, turns: [{ user: 'Please [call 1].' }] };
        const text = await answer(client, way, { ask, stream });
        if (!text.includes('"ns.tool"')) faults['a call'] = text.slice(0, 700);
      }
      expect(faults).toEqual({});
    },
  );
});
