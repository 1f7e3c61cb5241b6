import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';
import type { ScimBody } from '../support/scim.ts';

/** The parts of replies that the test reads. */
interface Made {
  readonly id: string;
  readonly value: string;
  readonly token: string;
  readonly accountId: string;
}

let database: TestDatabase;
let upstream: FakeUpstream;
let processes: Weir[] = [];
let cookie = '';

beforeAll(async () => {
  database = await createDatabase();
  upstream = await startFakeUpstream();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await redisUrl(),
    BOOTSTRAP_ADMIN_EMAIL: 'admin@example.org',
    BOOTSTRAP_ADMIN_PASSWORD: 'correct horse battery',
    GATEWAY_THREADS: '1',
    LOG_LEVEL: 'warn',
  };
  processes = [];
  for (const role of ['gateway', 'all']) {
    processes.push(await startWeir({ ...env, ROLE: role }));
  }
}, 600_000);
afterAll(async () => {
  await Promise.all(processes.map((weir) => weir.end('SIGTERM')));
  await upstream.close();
  await database.drop();
});

async function send(path: string, body: object) {
  const answered = await fetch(`${processes.at(-1)?.adminUrl ?? ''}${path}`, {
    method: 'POST',
    headers: {
      cookie,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
  });
  const text = await answered.text();
  if (!answered.ok) throw new Error(text);
  return { reply: JSON.parse(text) as Made, answered };
}
const make = async (path: string, body: object) => (await send(`/api/v1${path}`, body)).reply;
const logIn = async (email: string) => {
  const body = { email, password: 'correct horse battery' };
  const { answered } = await send('/api/v1/sessions', body);
  return answered.headers.get('set-cookie')?.split(';')[0] ?? '';
};

it(
  'a person whom the directory removes is refused by every gateway process',
  { timeout: 600_000 },
  async () => {
    const email = 'member@example.org';
    await make('/registrations', { email, password: 'correct horse battery' });
    const admin = await logIn('admin@example.org');
    cookie = admin;
    const groupId = (await make('/groups', { name: 'all' })).id;
    const model = {
      publicId: 'm',
      contextTokensMax: 8192,
      outputTokensMax: 512,
      groupIds: [groupId],
    };
    const modelId = (await make('/models', model)).id;
    await make(`/models/${modelId}/prices`, { inputUsd: '1', outputUsd: '1' });
    await make('/channels', {
      name: 'c',
      baseUrl: upstream.url,
      allowPrivate: true,
      credentials: ['upstream-credential-of-the-test'],
      models: [{ modelId, upstreamName: 'upstream-model' }],
    });
    upstream.behave('upstream-model', {
      kind: 'reply',
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
    const { accountId } = await make('/memberships', { name: 'Company' });
    await make(`/accounts/${accountId}/credits`, { amountUsd: '5', reason: 'a gift' });
    const provider = await make('/admin/sign-on-providers', {
      slug: 'company',
      preset: 'okta',
      name: 'company',
      issuer: 'https://company.okta.example',
      clientId: 'weir',
      domains: [{ domain: 'example.org', onlySignOn: false }],
      rules: [{ claim: 'groups', value: 'crew', accountId, role: 'member' }],
    });
    const { token } = await make(`/admin/sign-on-providers/${provider.id}/directory-tokens`, {});
    const scim = (method: string, path: string, body: object) =>
      fetch(`${processes.at(-1)?.adminUrl ?? ''}/scim/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/scim+json',
        },
        body: JSON.stringify(body),
      });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('update users set email_verified_at = now() where email = $1', [email]);
    await client.end();
    const user = (await (await scim('POST', '/Users', { userName: email })).json()) as ScimBody;
    await scim('POST', '/Groups', { displayName: 'crew', members: [{ value: user.id }] });
    cookie = await logIn(email);
    const { adminUrl = '' } = processes.at(-1) ?? {};
    await fetch(`${adminUrl}/api/v1/sessions/current/account`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ accountId }),
    });
    const key = await make('/keys', { name: 'own', groupId });

    const complete = async ({ url }: Weir) => {
      const answered = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.value}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'm',
          max_tokens: 5,
          messages: [{ role: 'user', content: 'hello' }],
        }),
      });
      const { error } = (await answered.json()) as { error?: { code: string } };
      return error?.code ?? answered.status;
    };
    for (const gateway of processes) {
      await until('a reply', async () => (await complete(gateway)) === 200);
    }
    const removed = await scim('PATCH', `/Users/${user.id}`, {
      Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
    });
    expect(removed.status).toBe(200);
    const since = performance.now();
    const delays = await Promise.all(
      processes.map(async (gateway) => {
        await until('a refusal', async () => (await complete(gateway)) === 'membership_ended');
        return performance.now() - since;
      }),
    );
    console.log(`refused after ${delays.map((ms) => ms.toFixed(0)).join(' and ')} ms`);
    const session = await fetch(`${adminUrl}/api/v1/sessions`, { headers: { cookie } });
    expect(session.status).toBe(401);
  },
);
