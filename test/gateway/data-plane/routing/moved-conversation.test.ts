/** A conversation stays with the account that has signed it; another account gets it without. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seal } from '../../../../gateway/platform/secrets/secrets.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import {
  startFakeGemini,
  type FakeGemini,
  type GeminiCall,
} from '../../../support/upstreams/fake-gemini.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { seed, TEST_SECRETS, type Seeded } from '../../../support/seed.ts';
import { UPSTREAMS, type Counts } from '../settlement/support/one-turn.ts';

const COUNTS: Counts = { input: 10, cached: 0, write: 0, write1h: 0, output: 5, reasoning: 0 };

let database: TestDatabase;
let pool: pg.Pool;
let upstream: FakeGemini;
let seeded: Seeded;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  upstream = await startFakeGemini();
  seeded = await seed(pool, {
    upstreams: [upstream.url, upstream.url],
    models: [{ publicId: 'on-anthropic-messages' }, { publicId: 'on-openai-responses' }],
  });
  const served = [
    ['anthropic', null, 'on-openai-responses'],
    ['openai', ['openai-responses'], 'on-anthropic-messages'],
  ] as const;
  for (const [index, [kind, protocols, other]] of served.entries()) {
    const id = seeded.channelIds[index];
    await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
      id,
      kind,
      protocols,
    ]);
    await pool.query('delete from channel_models where channel_id = $1 and upstream_name = $2', [
      id,
      other,
    ]);
    await pool.query(
      'insert into channel_credentials (id, channel_id, sealed) values ($1, $2, $3)',
      [randomUUID(), id, seal(TEST_SECRETS, 'other-account')],
    );
  }
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
});

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await upstream.close();
  await pool.end();
  await database.drop();
});

beforeEach(() => {
  upstream.calls.length = 0;
});

const CALL = { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} };
const RESULT = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' };
const THOUGHTS = [
  { type: 'thinking', thinking: 'Let me look.', signature: 'c2lnbmVk' },
  { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
];
const REASONING = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };

interface Dialect {
  readonly served: 'anthropic-messages' | 'openai-responses';
  readonly path: string;
  readonly body: (session: string) => object;
  /** The members of a body that may have proofs, and what they are without. */
  readonly sent: (call: GeminiCall | undefined) => unknown;
  readonly whole: unknown;
  readonly stripped: unknown;
  /** The vendor's refusal of proofs that it cannot verify. */
  readonly refusal: object;
}

const DIALECTS: readonly Dialect[] = [
  {
    served: 'anthropic-messages',
    path: '/v1/messages',
    body: (session) => ({
      max_tokens: 900,
      metadata: { user_id: JSON.stringify({ session_id: session }) },
      messages: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: [...THOUGHTS, CALL] },
        { role: 'user', content: [RESULT] },
      ],
    }),
    sent: (call) => (call?.body['messages'] as { content: unknown }[])[1]?.content,
    whole: [...THOUGHTS, CALL],
    stripped: [CALL],
    refusal: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
      },
    },
  },
  {
    served: 'openai-responses',
    path: '/v1/responses',
    body: (session) => ({
      store: false,
      prompt_cache_key: session,
      input: [{ role: 'user', content: 'Look' }, REASONING, { role: 'assistant', content: 'Yes.' }],
    }),
    sent: (call) => (call?.body['input'] as unknown[]).slice(1),
    whole: [REASONING, { role: 'assistant', content: 'Yes.' }],
    stripped: [{ role: 'assistant', content: 'Yes.' }],
    refusal: {
      error: {
        type: 'invalid_request_error',
        code: 'invalid_encrypted_content',
        message: 'The encrypted content could not be verified.',
        param: null,
      },
    },
  },
];

function reply(served: Dialect['served']): object {
  return UPSTREAMS.find(({ protocol }) => protocol === served)?.reply(COUNTS) ?? {};
}

function accountOf({ headers }: GeminiCall): string {
  return String(headers['x-api-key'] ?? headers.authorization);
}

async function send({ served, path, body }: Dialect, session: string): Promise<number> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${seeded.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `on-${served}`, ...body(session) }),
  });
  await response.text();
  return response.status;
}

describe.each(DIALECTS)('a conversation of $served', (dialect) => {
  const { served, sent, whole, stripped, refusal } = dialect;

  it('stays with the account that has signed it, and keeps what that can verify', async () => {
    const session = randomUUID();
    upstream.reply = { json: reply(served) };
    for (let turn = 0; turn < 3; turn += 1) expect(await send(dialect, session)).toBe(200);
    expect(new Set(upstream.calls.map(accountOf)).size).toBe(1);
    expect(upstream.calls.map(sent)).toEqual([whole, whole, whole]);
  });

  it('is sent again without what its own account cannot verify either', async () => {
    upstream.reply = (call) =>
      JSON.stringify(sent(call)) === JSON.stringify(whole)
        ? { status: 400, json: refusal }
        : { json: reply(served) };
    expect(await send(dialect, randomUUID())).toBe(200);
    expect(upstream.calls.map(sent)).toEqual([whole, stripped]);
  });

  it('is refused in the upstream’s words when that does not help', async () => {
    upstream.reply = { status: 400, json: refusal };
    expect(await send(dialect, randomUUID())).toBe(400);
    expect(upstream.calls).toHaveLength(2);
  });

  it('goes to another account without what that would refuse', async () => {
    const session = randomUUID();
    upstream.reply = { json: reply(served) };
    await send(dialect, session);
    const [first] = upstream.calls;
    const home = first === undefined ? '' : accountOf(first);
    upstream.reply = (call) =>
      accountOf(call) === home
        ? { status: 429, json: { error: { type: 'rate_limit_error', message: 'Too many.' } } }
        : { json: reply(served) };
    upstream.calls.length = 0;
    expect(await send(dialect, session)).toBe(200);
    expect(upstream.calls.map(sent)).toEqual([whole, stripped]);
    expect(new Set(upstream.calls.map(accountOf)).size).toBe(2);
  });
});
