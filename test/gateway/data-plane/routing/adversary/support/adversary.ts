import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seal } from '../../../../../../gateway/platform/secrets/secrets.ts';
import { seedAccount, seedKey, seedModel, TEST_SECRETS } from '../../../../../support/seed.ts';
import type { Customer, BillingFixture } from '../../../settlement/support/billing-fixture.ts';
import type { Attack } from './attacks.ts';

/** The settings of the model's channels. */
export interface RoutingMode {
  readonly name: string;
  readonly channels: 1 | 2;
  readonly equalPriority: boolean;
  readonly credentials: 1 | 3;
}

export const MODES: readonly RoutingMode[] = [
  { name: 'one channel', channels: 1, equalPriority: true, credentials: 1 },
  { name: 'by priority', channels: 2, equalPriority: false, credentials: 1 },
  { name: 'by weight', channels: 2, equalPriority: true, credentials: 1 },
  { name: '3 credentials', channels: 1, equalPriority: true, credentials: 3 },
  { name: '2 channels of 3', channels: 2, equalPriority: true, credentials: 3 },
];

/** The paths that an adversary asks, with a body each. */
const PATHS: readonly (readonly [path: string, body: (text: string) => object])[] = [
  ['/v1/chat/completions', (text) => ({ messages: [{ role: 'user', content: text }] })],
  ['/v1/completions', (text) => ({ prompt: text })],
  ['/v1/embeddings', (text) => ({ input: text })],
  ['/v1/messages', (text) => ({ max_tokens: 9, messages: [{ role: 'user', content: text }] })],
  ['/v1/responses', (text) => ({ input: text })],
];

export interface Losses {
  readonly sent: number;
  readonly lost: number;
  /** The good customer's replies to lost requests. */
  readonly replies: readonly string[];
}

const POISON = 'poison';
/** Longer than an upstream takes that replies at all. */
const GIVE_UP_MS = 300;

const GOOD_REPLY = JSON.stringify({
  id: 'r',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Two upstreams that serve everybody but the adversary. */
export interface HostileUpstreams {
  readonly urls: readonly string[];
  attack: Attack | undefined;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

export async function startHostileUpstreams(): Promise<HostileUpstreams> {
  const upstreams = { attack: undefined as Attack | undefined };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.on('error', () => undefined);
    const body = await bodyOf(request);
    if (body.includes(POISON)) upstreams.attack?.play(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(GOOD_REPLY);
  };
  const servers = [1, 2].map(() =>
    createServer((request, response) => {
      // A client that leaves while it sends.
      serve(request, response).catch(() => response.destroy());
    }),
  );
  await Promise.all(
    servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))),
  );
  return Object.assign(upstreams, {
    urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`),
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  });
}

interface Players {
  readonly good: Customer;
  readonly adversaryKey: string;
  readonly models: readonly string[];
}

/** Gives two customers the same group, with two models at the same channels. */
async function setUp(
  billing: BillingFixture,
  mode: RoutingMode,
  urls: readonly string[],
): Promise<Players> {
  const good = await billing.newCustomer();
  const { groupId, channelIds } = good.seeded;
  const account = await seedAccount(billing.pool, 100_000_000_000);
  const { key: adversaryKey } = await seedKey(billing.pool, account, groupId);
  const second = `model-${randomUUID()}`;
  await seedModel(billing.pool, {}, { publicId: second, groupId, channelIds });
  for (const [index, id] of channelIds.entries()) {
    await billing.pool.query(
      `update channels set base_url = $2, priority = $3, first_byte_timeout_ms = 100,
         status = $4 where id = $1`,
      [
        id,
        urls[index],
        mode.equalPriority ? 1 : 9 - index,
        index < mode.channels ? 'active' : 'disabled',
      ],
    );
    for (let count = 1; count < mode.credentials; count += 1) {
      await billing.pool.query(
        'insert into channel_credentials (id, channel_id, sealed) values ($1, $2, $3)',
        [randomUUID(), id, seal(TEST_SECRETS, `spare-${randomUUID()}`)],
      );
    }
  }
  await good.republish();
  return { good, adversaryKey, models: [good.model, second] };
}

/**
 * Lets an adversary with credit send what its upstream answers badly, alone and alongside a good
 * customer, and counts what the good one loses.
 */
export async function runAttack(
  billing: BillingFixture,
  upstreams: HostileUpstreams,
  { mode, attack, rounds }: { mode: RoutingMode; attack: Attack; rounds: number },
): Promise<Losses> {
  const { good, adversaryKey, models } = await setUp(billing, mode, upstreams.urls);
  upstreams.attack = attack;
  let requests = 0;
  const send = async (key: string, text: string, path = 0, stream = false): Promise<string> => {
    requests += 1;
    const [at, body] = PATHS[path % PATHS.length] ?? ['', () => ({})];
    const response = await fetch(billing.url + at, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        ...body(`${text} ${requests}`),
        model: models[requests % models.length],
        ...(stream ? { stream: true } : {}),
      }),
    });
    return `${response.status} ${await response.text()}`;
  };
  const provoke = async (): Promise<void> => {
    const replies = Array.from({ length: 8 }, (_, index) =>
      send(adversaryKey, POISON, index, index % 3 === 0).catch(() => ''),
    );
    // What hangs is left hanging.
    await Promise.race([Promise.all(replies), sleep(GIVE_UP_MS)]);
  };
  const replies: string[] = [];
  let sent = 0;
  for (let round = 0; round < rounds; round += 1) {
    await provoke();
    const together = provoke();
    for (let count = 0; count < 10; count += 1) {
      sent += 1;
      // Chat and Messages: both are served by the upstream's chat path.
      const reply = await send(good.seeded.key, 'hello', count % 2 === 0 ? 0 : 3);
      if (!reply.startsWith('200 ')) replies.push(reply.slice(0, 160));
    }
    await together;
  }
  return { sent, lost: replies.length, replies };
}
