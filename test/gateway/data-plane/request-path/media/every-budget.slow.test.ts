/** Every path moves every budget, by exactly what its request costs. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ledger } from '../../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGateway, type TestGateway } from '../../../../support/gateway.ts';
import { openTestLedger, settledState } from '../../../../support/ledger/money.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';
import { createDatabase, type TestDatabase } from '../../../../support/stores/postgres.ts';
import { wavOf } from '../../../platform/audio/support/audio-bytes.ts';

const CREDIT = 100_000_000_000;
const USD = 1_000_000_000;
const TEXT_USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const ITEM_USAGE = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };
/** By tokens: 2 and 10 USD per million. */
const TEXT_COST = 11 * 2_000 + 7 * 10_000;
const MESSAGE = { role: 'assistant', content: 'Hi' };

/** The reply of each path at an upstream. */
const REPLIES: Readonly<Record<string, object | Buffer>> = {
  '/chat/completions': {
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: MESSAGE, finish_reason: 'stop' }],
    usage: TEXT_USAGE,
  },
  '/completions': {
    ...{ id: 'c', object: 'text_completion', created: 1, model: 'm' },
    choices: [{ index: 0, text: 'Hi', finish_reason: 'stop', logprobs: null }],
    usage: TEXT_USAGE,
  },
  '/embeddings': {
    ...{ object: 'list', model: 'm' },
    data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
    usage: { prompt_tokens: 11, total_tokens: 11 },
  },
  '/images/generations': { created: 1, data: [{ b64_json: 'eA==' }], usage: ITEM_USAGE },
  '/images/edits': { created: 1, data: [{ b64_json: 'eA==' }], usage: ITEM_USAGE },
  '/audio/speech': Buffer.alloc(100, 7),
  '/audio/transcriptions': { text: 'Hi', usage: { type: 'duration', seconds: 4 } },
  '/audio/translations': { text: 'Hi', usage: { type: 'duration', seconds: 4 } },
  '/rerank': {
    ...{ id: 'r', results: [{ index: 0, relevance_score: 0.5 }] },
    meta: { billed_units: { search_units: 1 } },
  },
};

const messages = [{ role: 'user', content: 'Hello' }];
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const audioForm = (): FormData => formOf('second', 'file', wavOf(3_210), 'a.wav');

/** Path, model, body, and cost. */
const CALLS: readonly (readonly [string, () => object, number])[] = [
  ['/v1/chat/completions', () => ({ model: 'text', messages }), TEXT_COST],
  ['/v1/responses', () => ({ model: 'text', input: 'Hello' }), TEXT_COST],
  ['/v1/messages', () => ({ model: 'text', messages, max_tokens: 9 }), TEXT_COST],
  ['/v1beta/models/text:generateContent', () => ({ contents }), TEXT_COST],
  ['/v1/completions', () => ({ model: 'text', prompt: 'Hello', max_tokens: 9 }), TEXT_COST],
  ['/v1/embeddings', () => ({ model: 'text', input: 'Hello' }), 11 * 2_000],
  ['/v1/images/generations', () => ({ model: 'image', prompt: 'Hello' }), 40_000_000],
  ['/v1/images/edits', () => formOf('image', 'image', Buffer.alloc(9, 1), 'a.png'), 40_000_000],
  // Five code points.
  ['/v1/audio/speech', () => ({ model: 'character', input: 'Hello', voice: 'alloy' }), 5 * 15_000],
  ['/v1/audio/transcriptions', audioForm, 4 * 100_000],
  ['/v1/audio/translations', audioForm, 4 * 100_000],
  ['/v1/rerank', () => ({ model: 'searchUnit', query: 'Hello', documents: ['a'] }), 2_000_000],
  ['/v2/rerank', () => ({ model: 'searchUnit', query: 'Hello', documents: ['a'] }), 2_000_000],
];
/** One code point of speech. */
const PROBE = ['/v1/audio/speech', { model: 'character', input: 'x', voice: 'alloy' }] as const;
const PROBE_COST = 15_000;
const PRICES = {
  image: 40_000_000,
  second: 100_000,
  character: 15 * USD,
  searchUnit: 2 * USD,
};

let database: TestDatabase;
let pool: pg.Pool;
let upstream: Server;
let seeded: Seeded;
let gateway: TestGateway;
let ledger: Ledger;
let closeLedger: () => Promise<void>;
let scopes: Readonly<Record<string, string>>;

function formOf(model: string, name: string, file: Buffer, filename: string): FormData {
  const form = new FormData();
  form.set('model', model);
  if (name === 'image') form.set('prompt', 'Hello');
  form.set(name, new File([new Uint8Array(file)], filename));
  return form;
}

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, { connectionsMax: 4, applicationName: 'test' });
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      const reply = REPLIES[request.url ?? ''] ?? { error: { message: 'no such path' } };
      const isBytes = Buffer.isBuffer(reply);
      response.setHeader('content-type', isBytes ? 'audio/mpeg' : 'application/json');
      response.end(isBytes ? reply : JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const upstreams = [`http://127.0.0.1:${port}`];
  seeded = await seed(pool, { upstreams, creditNanoUsd: CREDIT, models: [{ publicId: 'text' }] });
  const { groupId, channelIds, accountId, keyId } = seeded;
  const free = { prices: { inputNanoUsd: 0, outputNanoUsd: 0 } };
  for (const [meter, price] of Object.entries(PRICES)) {
    await seedModel(pool, free, { publicId: meter, groupId, channelIds });
    await pool.query(
      'update prices set extra_prices = $2 where model_id = (select id from models where public_id = $1)',
      [meter, JSON.stringify({ [meter]: price })],
    );
  }
  scopes = { account: 'account', ...(await joinTeam(accountId, keyId)) };
  await pool.query('update accounts set budgeted = true where id = $1', [accountId]);
  gateway = await startGateway({ databaseUrl: database.url, redisUrl: null });
  ({ ledger, close: closeLedger } = await openTestLedger(pool, null));
});

/** Gives the key a member of a team; returns the scopes of their budgets. */
async function joinTeam(accountId: string, keyId: string): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ id: number }>(
    `with person as (
       insert into users (id, account_id, email, password_hash)
       values (gen_random_uuid(), $1, gen_random_uuid() || '@example.org', '') returning id
     ), team as (insert into teams (account_id, name) values ($1, 'Research') returning id)
     select team.id from person, team`,
    [accountId],
  );
  const [team] = rows;
  const members = await pool.query<{ id: number }>(
    'update members set team_id = $2 where account_id = $1 returning id',
    [accountId, team?.id],
  );
  const [member] = members.rows;
  await pool.query('update keys set member_id = $2 where id = $1', [keyId, member?.id]);
  return { team: `team:${team?.id ?? ''}`, member: `member:${member?.id ?? ''}` };
}

afterAll(async () => {
  expect(await gateway.close()).toBe(0);
  await closeLedger();
  upstream.close();
  upstream.closeAllConnections();
  await pool.end();
  await database.drop();
});

async function spent(): Promise<number> {
  const state = await settledState(ledger, seeded.accountId);
  expect(state).toMatchObject({ heldNanoUsd: 0, owedNanoUsd: 0 });
  return CREDIT - state.availableNanoUsd;
}

async function send(path: string, body: object): Promise<{ status: number; text: string }> {
  const isForm = body instanceof FormData;
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${seeded.key}`,
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  return { status: reply.status, text: await reply.text() };
}

/** Sets or removes a budget of a day. */
async function setBudget(scope: string, dayNanoUsd: number | null): Promise<void> {
  const { accountId, keyId } = seeded;
  if (scope === 'key') {
    await pool.query('update keys set budget_day_nano_usd = $2 where id = $1', [keyId, dayNanoUsd]);
  } else {
    await pool.query(
      `insert into spend_budgets (account_id, scope, day_nano_usd) values ($1, $2, $3)
     on conflict (account_id, scope) do update set day_nano_usd = excluded.day_nano_usd`,
      [accountId, scopes[scope], dayNanoUsd],
    );
  }
  gateway.send({ kind: 'changed', keyIds: [keyId], accountIds: [accountId] });
  // Messages are read in their order: the change has been taken when this is answered.
  const counters = gateway.next('counters');
  gateway.send({ kind: 'count' });
  await counters;
}

it.each(CALLS)('a request to %s moves the budgets of all levels', async (path, bodyOf, cost) => {
  const before = await spent();
  const { status, text } = await send(path, bodyOf());
  expect(status, text).toBe(200);
  let total = await spent();
  expect(total - before).toBe(cost);
  for (const scope of ['account', 'team', 'member', 'key']) {
    // Whatever had not moved this budget would leave room for one character.
    await setBudget(scope, total);
    const refused = await send(...PROBE);
    expect([scope, refused.status]).toEqual([scope, 402]);
    expect(refused.text).toContain(`${scope}_budget_exceeded`);
    await setBudget(scope, total + PROBE_COST);
    expect((await send(...PROBE)).status, scope).toBe(200);
    total = await spent();
    await setBudget(scope, null);
  }
  expect(total - before).toBe(cost + 4 * PROBE_COST);
});
