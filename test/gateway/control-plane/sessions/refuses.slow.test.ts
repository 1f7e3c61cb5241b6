import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyPassword } from '../../../../gateway/control-plane/users/password-hash.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

/** Of argon2's smallest size: checking it takes no time worth mentioning. */
const QUICK_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$gRUekeri5d8AbIhEijGI2A$Yj5XE9QQzI9+qb0F6M9GloXK8rwAZL662g94WBg800E';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

function logIn(body: object, headers: Record<string, string> = {}, at = fixture) {
  return at.ask('logIn', { body, headers });
}

describe('logging in is refused', () => {
  it('in the same words for an unknown address, a wrong password and a disabled user', async () => {
    const known = await fixture.user();
    const disabled = await fixture.user();
    await fixture.ask('updateUser', {
      as: admin,
      anyVersion: true,
      params: { userId: disabled.userId },
      body: { disabled: true },
    });
    const answers = [
      await logIn({ email: 'nobody@example.org', password: PASSWORD }),
      await logIn({ email: known.email, password: 'a wrong password' }),
      await logIn({ email: disabled.email, password: PASSWORD }),
    ];
    const told = answers.map(({ status, problem }) => ({ ...problem, status, requestId: '' }));
    expect(told[0]).toMatchObject({ code: 'invalid_credentials', status: 401 });
    expect(new Set(told.map((problem) => JSON.stringify(problem))).size).toBe(1);
  });

  it('hashes as much for an unknown address as for a known one, so that the time tells nothing', async () => {
    const known = await fixture.user();
    // Every place for a hash is taken all the time, so a caller that wants one is turned away.
    let busy = true;
    const takePlace = async () => {
      while (busy) await verifyPassword(QUICK_HASH, 'not it');
    };
    const places = Array.from({ length: 64 }, takePlace);
    const attempt = async (email: string) =>
      (await logIn({ email, password: 'a wrong password' })).problem.code;
    const codes = [await attempt(known.email), await attempt('unknown@example.org')];
    busy = false;
    await Promise.all(places);
    expect(codes).toEqual(['overloaded', 'overloaded']);
    expect(await attempt('unknown@example.org')).toBe('invalid_credentials');
  });

  it('without a field, and with one too many', async () => {
    expect((await logIn({ email: 'a@example.org' })).problem.code).toBe(
      'missing_required_parameter',
    );
    expect((await logIn({ email: 'a@example.org', password: 'x', more: 1 })).status).toBe(400);
    expect((await logIn({ email: 7, password: 'x' })).problem.code).toBe('invalid_type');
  });
});

describe('a session is refused', () => {
  it('when its user was disabled', async () => {
    const person = await fixture.user();
    await fixture.ask('updateUser', {
      as: admin,
      anyVersion: true,
      params: { userId: person.userId },
      body: { disabled: true },
    });
    expect((await fixture.ask('getOwnUser', { as: person })).problem.code).toBe(
      'not_authenticated',
    );
  });

  it('when it has expired', async () => {
    const person = await fixture.user();
    await fixture.pool.query('update sessions set expires_at = now() where user_id = $1', [
      person.userId,
    ]);
    expect((await fixture.ask('getOwnUser', { as: person })).status).toBe(401);
  });

  it('that belongs to someone else cannot be ended', async () => {
    const owner = await fixture.user();
    const stranger = await fixture.user();
    const { data } = (await fixture.ask('listSessions', { as: owner })).reply;
    const params = { sessionId: data[0]?.id ?? '' };
    const tried = await fixture.ask('revokeSession', { as: stranger, params });
    expect(tried.problem.code).toBe('not_found');
    expect((await fixture.ask('getOwnUser', { as: owner })).status).toBe(200);
  });
});

describe('the password is not changed', () => {
  it('without the current one', async () => {
    const person = await fixture.user();
    const refused = await fixture.ask('changePassword', {
      as: person,
      body: { currentPassword: 'a wrong password', newPassword: 'an entirely new password' },
    });
    expect(refused.problem).toMatchObject({ code: 'invalid_credentials', status: 401 });
    expect((await logIn({ email: person.email, password: PASSWORD })).status).toBe(201);
  });
});

describe('guessing is slowed down', () => {
  /** Wrong log-ins, one from each of these addresses, and what they were answered. */
  async function guess(slow: AdminFixture, email: string, addresses: string[]): Promise<string[]> {
    const codes: string[] = [];
    for (const address of addresses) {
      const headers = { 'x-forwarded-for': address };
      const answer = await logIn({ email, password: 'a wrong password' }, headers, slow);
      codes.push(answer.problem.code);
    }
    return codes;
  }

  function wrong(times: number): string[] {
    return Array.from({ length: times }, () => 'invalid_credentials');
  }

  it('per e-mail address and network, known or not, and locks nobody out elsewhere', async () => {
    const slow = await createAdminFixture({
      limits: { requestsPerMinute: 1e6, guardedRequestsPerMinute: 1e6, attemptsPerSubject: 3 },
      config: { trustedProxyHops: 1 },
    });
    const person = await slow.user();
    const right = (address: string) =>
      logIn({ email: person.email, password: PASSWORD }, { 'x-forwarded-for': address }, slow);
    const here = ['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:3::', '2001:db8:1:2::1'];
    for (const email of [person.email, 'nobody@example.org']) {
      expect(await guess(slow, email, here)).toEqual([...wrong(3), 'rate_limit_exceeded']);
    }
    expect((await right('2001:db8:1:3::1')).status).toBe(201);
    const refused = await right('2001:db8:1:2::4');
    expect(refused.problem.retryAfterMs).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await slow.pool.query(
      `update attempt_counters set window_ends_at = now() - interval '1 second'`,
    );
    expect((await right('2001:db8:1:2::4')).status).toBe(201);
    await slow.close();
  });

  it('per e-mail address from wherever it comes, at a higher limit that one network cannot use up', async () => {
    const slow = await createAdminFixture({
      limits: {
        requestsPerMinute: 1e6,
        guardedRequestsPerMinute: 1e6,
        attemptsPerSubject: 2,
        attemptsPerSubjectFromAnywhere: 5,
      },
      config: { trustedProxyHops: 1 },
    });
    const { email } = await slow.user();
    const one = Array.from({ length: 9 }, () => '203.0.113.1');
    await guess(slow, email, one);
    const many = Array.from({ length: 5 }, (_, index) => `::ffff:203.0.113.${String(index + 2)}`);
    expect(await guess(slow, email, many)).toEqual([
      ...wrong(3),
      'rate_limit_exceeded',
      'rate_limit_exceeded',
    ]);
    const headers = { 'x-forwarded-for': '203.0.113.99' };
    expect((await logIn({ email, password: PASSWORD }, headers, slow)).status).toBe(429);
    await slow.close();
  });

  it('per address, on every route where it would pay', async () => {
    const slow = await createAdminFixture({
      limits: { requestsPerMinute: 1e6, guardedRequestsPerMinute: 4, attemptsPerSubject: 1e6 },
      config: { trustedProxyHops: 1 },
    });
    const statusesFrom = async (address: string) => {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const headers = { 'x-forwarded-for': address };
        const email = `guess${String(attempt)}@example.org`;
        statuses.push((await logIn({ email, password: 'x' }, headers, slow)).status);
      }
      return statuses;
    };
    expect(await statusesFrom('203.0.113.1')).toEqual([401, 401, 401, 401, 429, 429]);
    expect(await statusesFrom('203.0.113.2')).toEqual([401, 401, 401, 401, 429, 429]);
    await slow.close();
  });

  it.each([
    ['with a port that is new each time', (attempt: number) => `203.0.113.1:${50_000 + attempt}`],
    ['with a port behind brackets', (attempt: number) => `[2001:db8::1]:${50_000 + attempt}`],
    ['that is no address', (attempt: number) => `made-up-${attempt}`],
  ])('per address, also for one %s', async (_name, addressOf) => {
    const slow = await createAdminFixture({
      limits: { requestsPerMinute: 1e6, guardedRequestsPerMinute: 1e6, attemptsPerSubject: 2 },
      config: { trustedProxyHops: 1 },
    });
    const addresses = [0, 1, 2, 3].map(addressOf);
    const codes = await guess(slow, 'a@example.org', addresses);
    expect(codes).toEqual([...wrong(2), 'rate_limit_exceeded', 'rate_limit_exceeded']);
    await slow.close();
    const guarded = await createAdminFixture({
      limits: { requestsPerMinute: 1e6, guardedRequestsPerMinute: 2, attemptsPerSubject: 1e6 },
      config: { trustedProxyHops: 1 },
    });
    expect(await guess(guarded, 'a@example.org', addresses)).toEqual(codes);
    await guarded.close();
  });

  it('believes X-Forwarded-For only behind a proxy, and says once that it arrives without one', async () => {
    const open = await createAdminFixture({
      limits: { requestsPerMinute: 1e6, guardedRequestsPerMinute: 2, attemptsPerSubject: 1e6 },
    });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${String(attempt)}` };
      statuses.push((await logIn({ email: 'a@example.org', password: 'x' }, headers, open)).status);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
    const warnings = open.log.filter((line) => line.includes('TRUSTED_PROXY_HOPS is 0'));
    expect(warnings).toHaveLength(1);
    await open.close();
  });

  it('per network where one person has 2^64 addresses', async () => {
    const slow = await createAdminFixture({
      limits: { requestsPerMinute: 1e6, guardedRequestsPerMinute: 2, attemptsPerSubject: 1e6 },
      config: { trustedProxyHops: 1 },
    });
    const statusFrom = async (address: string) => {
      const headers = { 'x-forwarded-for': address };
      return (await logIn({ email: 'a@example.org', password: 'x' }, headers, slow)).status;
    };
    expect(await statusFrom('2001:db8:1:2::1')).toBe(401);
    expect(await statusFrom('2001:db8:1:2:ffff::2')).toBe(401);
    expect(await statusFrom('2001:db8:1:2::3')).toBe(429);
    expect(await statusFrom('2001:db8:1:3::1')).toBe(401);
    await slow.close();
  });

  it('also for requests that are refused before anything is done', async () => {
    const slow = await createAdminFixture({
      limits: { requestsPerMinute: 3, guardedRequestsPerMinute: 1e6, attemptsPerSubject: 1e6 },
    });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const headers = { authorization: `Bearer weir_pat_guess${String(attempt)}` };
      statuses.push((await slow.ask('getOwnUser', { headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    await slow.close();
  });
});
