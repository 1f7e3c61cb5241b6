import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import {
  MODEL,
  startLoginFixture,
  type LoginFixture,
  type Tokens,
} from './support/login-fixture.ts';

/** A reading is five seconds old at most. */
const ASK_AGAIN_MS = 500;
const PREFIX = 'anthropic-ratelimit-unified';

let fixture: LoginFixture;
let tokens: Tokens;
let keyId: string;

beforeAll(async () => {
  fixture = await startLoginFixture();
  const credit = { amountUsd: '5', reason: 'for tests' };
  await fixture.api('POST', `/accounts/${fixture.accountId}/credits`, credit);
  ({ tokens, keyId } = await fixture.logIn());
  await until('the gateway sells the model', async () =>
    (await (await get('/v1/models')).text()).includes(MODEL),
  );
});
afterAll(() => fixture.close());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${tokens.access_token}`;
  return fetch(`${fixture.weir.url}${path}`, { headers: { authorization, ...headers } });
}

function standing(reply: Response): Record<string, string> {
  const ours = [...reply.headers].filter(([name]) => name.startsWith(PREFIX));
  return Object.fromEntries(ours.map(([name, value]) => [name.slice(PREFIX.length + 1), value]));
}

/** Asks until the reply says this of the key's limit: the reading is a few seconds behind. */
async function untilStanding(status: string): Promise<Record<string, string>> {
  let last: Record<string, string> = {};
  await until(`the status ${status}`, async () => {
    last = standing(await fixture.ask(tokens.access_token));
    // Each request costs a little: a fast machine would spend the limit while it waits.
    if (last['status'] !== status) await setTimeout(ASK_AGAIN_MS);
    return last['status'] === status;
  });
  return last;
}

interface Usage {
  readonly extra_usage: Record<string, unknown>;
  readonly limits: readonly Record<string, unknown>[];
}

async function readUsage(): Promise<Usage> {
  return (await (await get('/api/oauth/usage')).json()) as Usage;
}

async function spentCents(cents: number): Promise<void> {
  await until(`${String(cents)} cents are counted`, async () => {
    return (await readUsage()).extra_usage['used_credits'] === cents;
  });
}

async function setBudget(budgetMonthUsd: string | null): Promise<void> {
  const changed = await fixture.api('PATCH', `/keys/${keyId}`, { budgetMonthUsd });
  expect(changed.status).toBe(200);
}

describe('a tool that is logged in', () => {
  it('is told what it has spent, without a limit and with one', async () => {
    // Eight cents.
    const usage = { prompt_tokens: 8_000, completion_tokens: 5, total_tokens: 8_005 };
    fixture.upstream.behave('upstream-model', { kind: 'reply', usage });
    expect((await fixture.ask(tokens.access_token)).status).toBe(200);
    // A hundredth of a cent, so that asking again changes nothing.
    const little = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    fixture.upstream.behave('upstream-model', { kind: 'reply', usage: little });
    await spentCents(8);
    const spent = { limit: null, used_credits: 8, utilization: null };
    expect(await readUsage()).toEqual({
      extra_usage: {
        is_enabled: true,
        monthly_limit: null,
        used_credits: 8,
        utilization: null,
        currency: 'USD',
        daily: spent,
        weekly: spent,
      },
      limits: [],
    });
    await setBudget('1');
    const limited = await readUsage();
    expect(limited.extra_usage).toMatchObject({
      monthly_limit: 100,
      used_credits: 8,
      utilization: 8,
    });
    const [limit] = limited.limits;
    const now = new Date();
    expect(limit).toEqual({
      kind: 'spend',
      group: 'monthly',
      percent: 8,
      resets_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
      severity: 'normal',
      is_active: true,
    });
  });

  it('is warned at three quarters of the limit', async () => {
    await setBudget('1');
    const allowed = await untilStanding('allowed');
    expect(allowed).toMatchObject({
      'representative-claim': 'overage',
      'overage-status': 'allowed',
    });
    expect(allowed['overage-surpassed-threshold']).toBeUndefined();
    await setBudget('0.10');
    const warned = await untilStanding('allowed_warning');
    expect(warned).toMatchObject({
      'overage-status': 'allowed_warning',
      'overage-surpassed-threshold': '0.75',
    });
    expect(warned['reset']).toBe(warned['overage-reset']);
  });

  it('is refused when the limit is reached, with the time of its reset', async () => {
    await setBudget('0.08');
    let refused = await fixture.ask(tokens.access_token);
    await until('the limit is reached', async () => {
      refused = await fixture.ask(tokens.access_token);
      return refused.status === 429;
    });
    expect(standing(refused)).toMatchObject({
      status: 'rejected',
      'overage-utilization': '1',
      'overage-surpassed-threshold': '1',
      'overage-period': 'monthly',
      'overage-disabled-reason': 'org_spend_cap_reached',
    });
    // With these the client would drop the message.
    expect(standing(refused)).not.toHaveProperty('representative-claim');
    expect(standing(refused)).not.toHaveProperty('overage-status');
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const reset = new Date(Number(standing(refused)['reset']) * 1_000);
    expect([reset.getUTCDate(), reset.getUTCHours()]).toEqual([1, 0]);
    const body = (await refused.json()) as { error: { type: string; message: string } };
    expect(body.error.type).toBe('billing_error');
    expect(body.error.message.match(/It resets on/g)).toHaveLength(1);
  });

  it('is refused like others with a key that was made in the console', async () => {
    const made = await fixture.api('POST', '/keys', {
      name: 'a key',
      groupId: fixture.groupId,
      budgetMonthUsd: '0',
    });
    const { value } = (await made.json()) as { value: string };
    const refused = await fixture.ask(value);
    expect(refused.status).toBe(402);
    expect(standing(refused)).toEqual({});
  });
});

describe('managed settings', () => {
  it('are none until an administrator sets some, and then have the checksum of the client', async () => {
    expect((await get('/managed/settings')).status).toBe(404);
    const settings = { permissions: { deny: ['Bash(rm:*)'] }, env: { B: '2', A: '1' } };
    const set = await fixture.api('PUT', '/accounts/me/managed-settings', {
      settings,
      checksum: null,
    });
    expect(set.status).toBe(200);
    const canonical = '{"env":{"A":"1","B":"2"},"permissions":{"deny":["Bash(rm:*)"]}}';
    const checksum = `sha256:${createHash('sha256').update(canonical).digest('hex')}`;
    const reply = await get('/managed/settings');
    expect(reply.headers.get('etag')).toBe(`"${checksum}"`);
    expect(await reply.json()).toMatchObject({ checksum, settings });
    const unchanged = await get('/managed/settings', { 'if-none-match': `"${checksum}"` });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    const any = await get('/managed/settings', { 'if-none-match': '*' });
    expect(any.status).toBe(200);
  });

  it('are not overwritten by a person who has not seen them', async () => {
    const body = { settings: null, checksum: 'sha256:of former ones' };
    const refused = await fixture.api('PUT', '/accounts/me/managed-settings', body);
    expect(refused.status).toBe(412);
  });
});

describe('telemetry', () => {
  it.each(['metrics', 'logs', 'traces'])('to /v1/%s is taken and dropped', async (signal) => {
    const send = (token: string): Promise<Response> =>
      fetch(`${fixture.weir.url}/v1/${signal}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-protobuf' },
        body: new Uint8Array(100_000),
      });
    expect((await send(tokens.access_token)).status).toBe(200);
    expect((await send('sk-unknown')).status).toBe(401);
  });
});
