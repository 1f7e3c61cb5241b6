import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_API_ROOT } from '@weir/shared/api/admin-routes';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { connectRedis } from '../../../../gateway/stores/redis/connect.ts';
import { holdsKey, makeKey, seeded } from '../../../support/clients/planted-keys.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';
import { plantedRequest, type PlantedRequest } from './plant-secrets.ts';

const EMAIL = 'admin@example.org';
const PASSWORD = 'correct horse battery';
const METRICS_TOKEN = 'metrics-of-the-hunt';
const MODEL = 'gpt-5-mini';
const AT_ONCE = 8;
/** Characters of a key that are searched for: more than are shown. */
const PIECE = 16;

/** An upstream that serves, and refuses every third request in words that quote all of it. */
async function startQuotingUpstream(): Promise<Server> {
  let requests = 0;
  const server = createServer((request, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      requests += 1;
      const quoted = `${request.url ?? ''} ${body.slice(0, 300)}`;
      const status = [200, 400, 200, 404, 200, 422][requests % 6] ?? 200;
      reply.writeHead(status, { 'content-type': 'application/json' });
      reply.end(
        JSON.stringify(
          status === 200
            ? {
                id: 'chatcmpl-1',
                object: 'chat.completion',
                created: 1,
                model: MODEL,
                choices: [
                  {
                    index: 0,
                    message: { role: 'assistant', content: 'Hi' },
                    finish_reason: 'stop',
                  },
                ],
                usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
              }
            : {
                error: { message: `Unknown parameter in ${quoted}`, type: 'invalid_request_error' },
              },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function dumpPostgres(url: string): Promise<string> {
  const pool = openPool(url, { connectionsMax: 2, applicationName: 'test' });
  try {
    const { rows: tables } = await pool.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    let text = '';
    for (const { name } of tables) {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
      text += `${name}\n${rows.map(({ row }) => row).join('\n')}\n`;
    }
    return text;
  } finally {
    await pool.end();
  }
}

async function dumpRedis(url: string): Promise<string> {
  const client = connectRedis(url);
  try {
    await client.connect();
    const read: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
      string: (key) => client.get(key),
      hash: (key) => client.hgetall(key),
      list: (key) => client.lrange(key, 0, -1),
      set: (key) => client.smembers(key),
      zset: (key) => client.zrange(key, '0', '-1'),
      stream: (key) => client.xrange(key, '-', '+'),
    };
    let text = '';
    for (const key of await client.keys('*')) {
      text += `${key} ${JSON.stringify(await read[await client.type(key)]?.(key))}\n`;
    }
    return text;
  } finally {
    client.disconnect();
  }
}

/** The keys of which a text holds more than is shown of one. */
function findKeys(text: string, keys: readonly string[]): string[] {
  const owners = new Map<string, string>();
  for (const key of keys) {
    owners.set(key.slice(-PIECE), key);
    owners.set(key.slice(PIECE / 2, PIECE / 2 + PIECE), key);
  }
  const found = new Set<string>();
  for (let at = 0; at + PIECE <= text.length; at += 1) {
    const owner = owners.get(text.slice(at, at + PIECE));
    if (owner !== undefined)
      found.add(`${owner} in ${text.slice(Math.max(0, at - 200), at + 100)}`);
  }
  return [...found];
}

const ENVIRONMENT = {
  BOOTSTRAP_ADMIN_EMAIL: EMAIL,
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  BOOTSTRAP_CREDIT_USD: '1000',
  UPSTREAM_API_KEY: 'upstream-credential',
  UPSTREAM_MODELS: MODEL,
  ALLOW_PRIVATE_UPSTREAMS: 'true',
  TRUSTED_PROXY_HOPS: '1',
  UNAUTHENTICATED_LOG_LINES_PER_SECOND: '1000000',
  GATEWAY_THREADS: '1',
  LOG_LEVEL: 'debug',
  METRICS_TOKEN,
};

async function logIn(adminUrl: string, agent: string): Promise<string> {
  const reply = await fetch(`${adminUrl}${ADMIN_API_ROOT}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  expect(reply.status).toBe(201);
  return reply.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/**
 * Sends random requests with keys in all their texts to Weir as it runs for customers, and looks
 * for the keys in everything that it leaves behind. The seed is printed.
 */
export function huntSecrets({
  count,
  seed,
}: {
  readonly count: number;
  readonly seed: number;
}): void {
  const random = seeded(seed);
  const sent: PlantedRequest[] = [];
  const statuses = new Map<string, number>();
  const leaks: string[] = [];
  let database: TestDatabase;
  let redis: string;
  let upstream: Server;
  let weir: Weir;
  let cookie: string;
  const key = makeKey('Weir', random);

  async function send(request: PlantedRequest): Promise<void> {
    const { on, method, path, headers, body, secret, places } = request;
    const reply = await fetch((on === 'gateway' ? weir.url : weir.adminUrl) + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const read = await reply.text();
    // A response repeats the fields of its request, as its protocol has it: they are the client's.
    const repeats = reply.ok && path.startsWith('/v1/responses');
    const text = JSON.stringify([...reply.headers]) + (repeats ? '' : read);
    const outcome = `${on} ${reply.status}`;
    statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
    if (!holdsKey(text, secret)) return;
    leaks.push(`${method} ${path} (${places.join(', ')}) ${reply.status}: ${text.slice(0, 2_000)}`);
  }

  beforeAll(async () => {
    database = await createDatabase();
    redis = await redisUrl();
    upstream = await startQuotingUpstream();
    const { port } = upstream.address() as AddressInfo;
    weir = await startWeir({
      ...ENVIRONMENT,
      DATABASE_URL: database.url,
      REDIS_URL: redis,
      BOOTSTRAP_API_KEY: key,
      UPSTREAM_BASE_URL: `http://127.0.0.1:${port}/v1`,
    });
    const agent = makeKey('Anthropic', random);
    cookie = await logIn(weir.adminUrl, agent);
    sent.push({
      on: 'admin',
      method: 'POST',
      path: '',
      headers: {},
      body: '',
      secret: agent,
      places: [],
    });
  });
  afterAll(async () => {
    upstream.close();
    await database.drop();
  });

  it(`${count} requests get no key back (seed ${seed})`, async () => {
    for (let done = 0; done < count; done += AT_ONCE) {
      const requests = Array.from({ length: Math.min(AT_ONCE, count - done) }, () =>
        plantedRequest({ random, key, model: MODEL, cookie }),
      );
      sent.push(...requests);
      await Promise.all(requests.map((request) => send(request)));
    }
    expect(leaks).toEqual([]);
    // They came as far as requests can.
    for (const outcome of ['gateway 200', 'gateway 400', 'gateway 404', 'admin 200', 'admin 400']) {
      expect(statuses.get(outcome) ?? 0, JSON.stringify([...statuses])).toBeGreaterThan(0);
    }
    expect([...statuses.keys()].filter((outcome) => outcome.endsWith(' 500'))).toEqual([]);
  });

  it('and leave none in metrics, log, PostgreSQL and Redis', async () => {
    const keys = [...new Set(sent.map(({ secret }) => secret))];
    const metrics = await fetch(`${weir.adminUrl}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(metrics.status).toBe(200);
    expect(findKeys(await metrics.text(), keys)).toEqual([]);
    expect(findKeys(await dumpRedis(redis), keys)).toEqual([]);
    // What is still on its way is written at the end.
    expect(await weir.end('SIGTERM')).toBe(0);
    const kept = await dumpPostgres(database.url);
    expect(kept).toContain('request_attempts');
    expect(kept).toContain('…');
    expect(findKeys(kept, keys)).toEqual([]);
    const log = weir.output();
    expect(log.split('"msg":"request"').length).toBeGreaterThan(count / 4);
    expect(findKeys(log, keys)).toEqual([]);
    // The search would find one.
    const [planted = ''] = keys;
    expect(findKeys(`${log} "${planted}"`, keys)).not.toEqual([]);
  });
}
