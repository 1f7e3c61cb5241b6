/**
 * Changes of the admin API take effect on the gateway, as both run for customers: in one
 * process, and in two that share nothing but the stores.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { redisUrl } from '../../../support/stores/redis.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import { until } from '../../../support/clocks/hang.ts';
import { startWeir, type Weir } from '../../../support/weir.ts';

const EMAIL = 'admin@example.org';
const PASSWORD = 'correct horse battery';

let database: TestDatabase;
let upstream: FakeUpstream;
let processes: Weir[];
/** Where requests are served, and where the admin API is. */
let url: string;
let adminUrl: string;
let cookie: string;
let groupId: string;
let modelId: string;
let channelId: string;

async function start(roles: readonly string[]): Promise<void> {
  database = await createDatabase();
  upstream = await startFakeUpstream();
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: await redisUrl(),
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
    GATEWAY_THREADS: '1',
    LOG_LEVEL: 'warn',
  };
  processes = [];
  for (const role of roles) processes.push(await startWeir({ ...env, ROLE: role }));
  url = processes[0]?.url ?? '';
  adminUrl = processes.at(-1)?.adminUrl ?? '';
}

async function fillCatalog(): Promise<void> {
  const login = await api('POST', '/sessions', { email: EMAIL, password: PASSWORD });
  cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  groupId = (await make('/groups', { name: 'effect' })).id;
  const model = {
    publicId: 'effect-model',
    contextTokensMax: 8192,
    outputTokensMax: 512,
    groupIds: [groupId],
  };
  modelId = (await make('/models', model)).id;
  await make(`/models/${modelId}/prices`, { inputUsd: '1000', outputUsd: '0' });
  const channel = await make('/channels', {
    name: 'effect',
    baseUrl: upstream.url,
    allowPrivate: true,
    credentials: ['upstream-credential-of-the-test'],
    models: [{ modelId, upstreamName: 'upstream-model' }],
  });
  channelId = channel.id;
  upstream.behave('upstream-model', {
    kind: 'reply',
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
}

async function end(): Promise<void> {
  await Promise.all(processes.map((weir) => weir.end('SIGTERM')));
  await upstream.close();
  await database.drop();
}

function api(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${adminUrl}/api/v1${path}`, {
    method,
    headers: {
      cookie,
      'if-match': '*',
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

interface Made {
  readonly id: string;
  readonly value: string;
  /** In the reply of an invitation. */
  readonly link?: string | null;
  /** In the reply of a membership. */
  readonly memberId?: string;
}

async function make(path: string, body: object): Promise<Made> {
  const made = await api('POST', path, body);
  const text = await made.text();
  if (made.status !== 201) throw new Error(text);
  return JSON.parse(text) as Made;
}

async function complete(key: string): Promise<{ status: number; requestId: string; code: string }> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'effect-model',
      max_tokens: 5,
      store: false,
      messages: [{ role: 'user', content: 'hello' }],
    }),
  });
  const { error } = (await answer.json()) as { error?: { code: string } };
  return {
    status: answer.status,
    requestId: answer.headers.get('x-request-id') ?? '',
    code: error?.code ?? '',
  };
}

/**
 * Asks again and again, so that what the gateway keeps of a key is used all along, until the answer
 * is this one.
 */
async function untilAnswered(key: string, expected: string | number): Promise<void> {
  await until(`the answer ${String(expected)}`, async () => {
    const { status, code } = await complete(key);
    return status === expected || code === expected;
  });
}

interface RecordView {
  readonly costUsd: string;
  readonly prices: { readonly inputUsd: string };
}

/** The record of a request, as soon as the drain has brought it. */
function recordOf(requestId: string): Promise<RecordView> {
  return until(`the record of ${requestId}`, async () => {
    const found = await api('GET', `/usage-records/${requestId}`);
    return found.status === 200 && ((await found.json()) as RecordView);
  });
}

/**
 * Tests that changes in the admin API come into force on a gateway; one process for each of
 * `roles`.
 */
export function testEffects(roles: readonly string[]): void {
  beforeAll(async () => {
    await start(roles);
    await fillCatalog();
  });
  afterAll(end);

  describe('a key', () => {
    it('works once it is made, also one that was tried before it existed', async () => {
      const key = await make('/keys', { name: 'new', groupId });
      await untilAnswered(key.value, 200);
    });

    it('stops when it is disabled, and works again when it is enabled', async () => {
      const key = await make('/keys', { name: 'switched', groupId });
      await untilAnswered(key.value, 200);
      await api('PATCH', `/keys/${key.id}`, { status: 'disabled' });
      await untilAnswered(key.value, 'api_key_disabled');
      await api('PATCH', `/keys/${key.id}`, { status: 'active' });
      await untilAnswered(key.value, 200);
    });

    it('keeps to a limit once it is changed', async () => {
      const key = await make('/keys', { name: 'limited', groupId });
      await untilAnswered(key.value, 200);
      await api('PATCH', `/keys/${key.id}`, { budgetTotalUsd: '0' });
      await untilAnswered(key.value, 'key_budget_exceeded');
      await api('PATCH', `/keys/${key.id}`, { budgetTotalUsd: null, ipAllowlist: ['203.0.113.7'] });
      await untilAnswered(key.value, 'ip_not_allowed');
    });

    it('that is rotated answers to both values for the overlap, and then to the new one', async () => {
      const key = await make('/keys', { name: 'rotated', groupId });
      await untilAnswered(key.value, 200);
      const rotated = await make(`/keys/${key.id}/rotations`, { overlapSeconds: 3600 });
      await untilAnswered(rotated.value, 200);
      expect((await complete(key.value)).status).toBe(200);
      const again = await make(`/keys/${key.id}/rotations`, { overlapSeconds: 0 });
      await untilAnswered(key.value, 401);
      await untilAnswered(rotated.value, 401);
      await untilAnswered(again.value, 200);
    });

    it('has temporary values that the playground uses', async () => {
      const key = await make('/keys', { name: 'lent', groupId });
      const lent = await make(`/keys/${key.id}/temporary-values`, {});
      await untilAnswered(lent.value, 200);
      await api('DELETE', `/keys/${key.id}`);
      await untilAnswered(lent.value, 401);
    });

    it('of a member stops with the membership, and of a team with its group', async () => {
      const owner = cookie;
      await make('/memberships', { name: 'Company' });
      const other = await make('/groups', { name: 'of no team', modelIds: [] });
      const team = await make('/teams', { name: 'Team', groupIds: [groupId] });
      const service = { name: 'service', groupId, owner: 'account', teamId: team.id };
      const ofTeam = await make('/keys', service);
      const invited = await make('/member-invitations', { role: 'member', teamId: team.id });
      const { link } = invited;
      const token = link?.split('#token=')[1] ?? '';
      const person = { email: 'member@example.org', password: PASSWORD };
      await api('POST', '/registrations', { ...person, memberInvitationToken: token });
      const login = await api('POST', '/sessions', person);
      cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
      const { memberId } = await make('/member-invitation-acceptances', { token });
      const ofMember = await make('/keys', { name: 'own', groupId });
      cookie = owner;
      const me = (await (await api('GET', '/accounts/me')).json()) as { id: string };
      await make(`/accounts/${me.id}/credits`, { amountUsd: '1', reason: 'a gift' });
      for (const key of [ofTeam, ofMember]) await untilAnswered(key.value, 200);
      await api('PATCH', `/teams/${team.id}`, { groupIds: [other.id] });
      for (const key of [ofTeam, ofMember]) await untilAnswered(key.value, 'group_not_allowed');
      await api('PATCH', `/teams/${team.id}`, { groupIds: [groupId] });
      for (const key of [ofTeam, ofMember]) await untilAnswered(key.value, 200);
      await api('DELETE', `/members/${memberId ?? ''}`);
      await untilAnswered(ofMember.value, 'membership_ended');
      expect((await complete(ofTeam.value)).status).toBe(200);
      const [own] = (
        (await (await api('GET', '/memberships')).json()) as {
          data: { accountId: string }[];
        }
      ).data;
      await api('PUT', '/sessions/current/account', { accountId: own?.accountId });
    });

    it('of a group that is not for its account any more stops, and says what to do', async () => {
      const key = await make('/keys', { name: 'of a group', groupId });
      const me = (await (await api('GET', '/accounts/me')).json()) as { id: string };
      await untilAnswered(key.value, 200);
      await api('PATCH', `/groups/${groupId}`, { access: 'chosen' });
      await untilAnswered(key.value, 'group_not_allowed');
      await api('POST', `/groups/${groupId}/accounts`, { accountIds: [me.id], multiplier: '0.5' });
      await untilAnswered(key.value, 200);
      const cheap = await recordOf((await complete(key.value)).requestId);
      expect([cheap.prices.inputUsd, cheap.costUsd]).toEqual(['1000', '0.005']);
      await api('DELETE', `/groups/${groupId}/accounts/${me.id}`);
      await untilAnswered(key.value, 'group_not_allowed');
      const other = await make('/groups', { name: 'another', modelIds: [modelId] });
      await api('PATCH', `/keys/${key.id}`, { groupId: other.id });
      await untilAnswered(key.value, 200);
      await api('PATCH', `/groups/${groupId}`, { access: 'public' });
    });

    it('of an account that is suspended stops', async () => {
      const key = await make('/keys', { name: 'suspended', groupId });
      await untilAnswered(key.value, 200);
      const me = (await (await api('GET', '/accounts/me')).json()) as { id: string };
      await api('PATCH', `/accounts/${me.id}`, { status: 'suspended' });
      await untilAnswered(key.value, 'account_suspended');
      await api('PATCH', `/accounts/${me.id}`, { status: 'active' });
      await untilAnswered(key.value, 200);
    });
  });

  describe('a channel', () => {
    it('sends the output limit under its upstream’s name, and leaves out what it refuses', async () => {
      const key = await make('/keys', { name: 'of the channel', groupId });
      await untilAnswered(key.value, 200);
      expect(upstream.requests.at(-1)?.body).toMatchObject({ max_tokens: 5, store: false });
      await api('PATCH', `/channels/${channelId}`, {
        outputLimitField: 'max_completion_tokens',
        omittedFields: ['store'],
      });
      const sent = await until('a request in the other form', async () => {
        expect((await complete(key.value)).status).toBe(200);
        const body = upstream.requests.at(-1)?.body;
        return body !== undefined && 'max_completion_tokens' in body && body;
      });
      expect(sent).toMatchObject({ max_completion_tokens: 5 });
      expect(sent).not.toHaveProperty('max_tokens');
      expect(sent).not.toHaveProperty('store');
    });
  });

  describe('a price change', () => {
    it('applies to requests admitted after it and to no other', async () => {
      const key = await make('/keys', { name: 'billed', groupId });
      await untilAnswered(key.value, 200);
      const before = await complete(key.value);
      // One that is admitted at the old price and is still on its way when the new one is set.
      const slow = { kind: 'reply', headersDelayMs: 1_500 } as const;
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      upstream.behave('upstream-model', { ...slow, usage });
      const seen = upstream.requests.length;
      const onItsWay = complete(key.value);
      await upstream.untilRequests(seen + 1);
      upstream.behave('upstream-model', { kind: 'reply', usage });
      await make(`/models/${modelId}/prices`, { inputUsd: '3000', outputUsd: '0' });
      const after = await until('the new price', async () => {
        const record = await recordOf((await complete(key.value)).requestId);
        return record.prices.inputUsd === '3000' && record;
      });
      expect(after.costUsd).toBe('0.03');
      for (const { requestId } of [before, await onItsWay]) {
        const record = await recordOf(requestId);
        expect([record.prices.inputUsd, record.costUsd]).toEqual(['1000', '0.01']);
      }
      // What was billed stays billed: the record is the same afterwards.
      expect((await recordOf(before.requestId)).costUsd).toBe('0.01');
    });
  });
}
