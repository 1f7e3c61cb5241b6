/** By whom requests are counted: users of one office do not share a limit, strangers do. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminFixture, PASSWORD, type AdminFixture } from './support/fixture.ts';

const MAX = 8;
let fixture: AdminFixture;

beforeAll(async () => {
  fixture = await createAdminFixture({
    config: { trustedProxyHops: 1 },
    limits: {
      requestsPerMinute: MAX,
      guardedRequestsPerMinute: MAX,
      attemptsPerSubject: 1e6,
      attemptsPerSubjectFromAnywhere: 1e6,
    },
  });
});
afterAll(() => fixture.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

async function statuses(count: number, ask: (at: number) => Promise<{ readonly status: number }>) {
  const all: number[] = [];
  for (let at = 0; at < count; at += 1) all.push((await ask(at)).status);
  return all;
}

it('counts people who are logged in one by one, in an office behind one address', async () => {
  const headers = from('203.0.113.1');
  const people = await Promise.all(Array.from({ length: 4 }, () => fixture.user()));
  for (const as of people) {
    // The first one is counted by address: until then nothing was accepted.
    await fixture.ask('getOwnUser', { as, headers });
  }
  for (const as of people) {
    const own = await statuses(MAX, () => fixture.ask('getOwnUser', { as, headers }));
    expect(own).toEqual(Array.from({ length: MAX }, () => 200));
    expect((await fixture.ask('getOwnUser', { as, headers })).status).toBe(429);
  }
});

it('counts a user together, with any address and session', async () => {
  const as = await fixture.user();
  const all = await statuses(MAX + 2, (at) =>
    fixture.ask('getOwnUser', { as, headers: from(`203.0.114.${String(at + 1)}`) }),
  );
  expect(all.slice(0, -1)).not.toContain(429);
  expect(all.at(-1)).toBe(429);
});

it('counts invented sessions and tokens by address', async () => {
  const headers = from('203.0.115.1');
  const all = await statuses(MAX + 1, (at) =>
    fixture.ask('getOwnUser', {
      as: at % 2 === 0 ? { token: `weir_pat_${String(at)}` } : undefined,
      headers: { ...headers, ...(at % 2 === 0 ? {} : { cookie: `weir_session=${String(at)}` }) },
    }),
  );
  expect(all.at(-1)).toBe(429);
});

it('counts log-ins by address, also for someone who is logged in', async () => {
  const headers = from('203.0.116.1');
  const as = await fixture.user();
  await fixture.ask('getOwnUser', { as, headers: from('203.0.117.1') });
  const guesses = await statuses(MAX + 1, (at) =>
    fixture.ask('logIn', {
      as: at % 2 === 0 ? as : undefined,
      headers,
      body: { email: `${String(at)}@example.org`, password: PASSWORD },
    }),
  );
  expect(guesses.at(-1)).toBe(429);
});
