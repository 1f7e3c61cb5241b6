import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_API_ROOT, ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import { SESSION_COOKIE } from '@weir/shared/people/sessions';
import { digestOf, newToken } from '../../../../gateway/control-plane/api/callers/opaque-token.ts';
import { listen } from '../../../../gateway/control-plane/open-server.ts';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { availableOf } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

const AT_ONCE = 100;

let fixture: AdminFixture;
let admin: Person;
let origin: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  await listen(fixture.app, { host: '127.0.0.1', port: 0 });
  const address = fixture.app.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  origin = `http://127.0.0.1:${String(address.port)}`;
});
afterAll(() => fixture.close());

async function makeCodes(count: number): Promise<readonly string[]> {
  const made = await fixture.ask('createRedemptionBatch', {
    as: admin,
    body: { name: 'at once', count, kind: 'balance', amountUsd: '5' },
  });
  return made.reply.codes;
}

async function makeCode(): Promise<string> {
  return (await makeCodes(1))[0] ?? '';
}

/**
 * People who are logged in, put into the database: logging in as many would take longer than all
 * the rest.
 */
async function seedPeople(count: number): Promise<Person[]> {
  const seeds = Array.from({ length: count }, (_value, index) => {
    const token = newToken();
    const userId = newRequestId(Date.now());
    const accountId = newRequestId(Date.now());
    const email = `redeemer${String(index)}@example.org`;
    const person = { userId, accountId, email, cookie: `${SESSION_COOKIE}=${token}` };
    return { person, digest: digestOf(token) };
  });
  const people = seeds.map(({ person }) => person);
  const userIds = people.map(({ userId }) => userId);
  const accountIds = people.map(({ accountId }) => accountId);
  const emails = people.map(({ email }) => email);
  await fixture.pool.query(
    'insert into accounts (id, name) select * from unnest($1::uuid[], $2::text[])',
    [accountIds, emails],
  );
  await fixture.pool.query(
    `insert into users (id, account_id, email, password_hash)
     select id, account, email, '' from unnest($1::uuid[], $2::uuid[], $3::text[]) as p (id, account, email)`,
    [userIds, accountIds, emails],
  );
  await fixture.pool.query(
    `insert into sessions (id, user_id, digest, address, expires_at)
     select id, id, digest, '127.0.0.1', now() + interval '1 hour'
     from unnest($1::uuid[], $2::bytea[]) as p (id, digest)`,
    [userIds, seeds.map(({ digest }) => digest)],
  );
  return people;
}

/**
 * Hands the code in over a connection of its own; answers the status and, when refused, the code of
 * the refusal. What a slow machine could not take up in time has done nothing, and is handed in
 * again.
 */
async function redeem(person: Person, code: string): Promise<string> {
  const { cookie } = person;
  const { method, path } = ADMIN_ROUTES.redeemCode;
  const response = await fetch(`${origin}${ADMIN_API_ROOT}${path}`, {
    method,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const reply = (await response.json()) as { readonly code?: string };
  if (response.status === 503) return redeem(person, code);
  return `${String(response.status)} ${reply.code ?? ''}`.trim();
}

/** Counts each reply. */
function tally(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

/** Returns the credits of these people for codes in PostgreSQL, in nanodollars, one entry each. */
async function creditsOf(people: readonly Person[]): Promise<string[]> {
  const { rows } = await fixture.pool.query<{ amount: string }>(
    `select amount_nano_usd::text as amount from credits where kind = 'redemption' and account_id = any ($1)`,
    [people.map(({ accountId }) => accountId)],
  );
  return rows.map(({ amount }) => amount);
}

describe('one code handed in 100 times at the same moment over HTTP', () => {
  it('by 100 people is redeemed by one of them and credited once', async () => {
    const code = await makeCode();
    const people = await seedPeople(AT_ONCE);
    const answers = await Promise.all(people.map((person) => redeem(person, code)));
    expect(tally(answers)).toEqual({ '201': 1, '409 code_redeemed': AT_ONCE - 1 });
    expect(await creditsOf(people)).toEqual(['5000000000']);
    const balances = await Promise.all(people.map((person) => availableOf(fixture, person)));
    expect(balances.filter((balance) => balance === '5')).toHaveLength(1);
    expect(balances.filter((balance) => balance === '0')).toHaveLength(AT_ONCE - 1);
    const winner = people[answers.indexOf('201')];
    expect(balances[answers.indexOf('201')]).toBe('5');
    const { data } = (await fixture.ask('listRedemptionCodes', { as: admin })).reply;
    expect(data).toMatchObject([{ redeemedByAccountId: winner?.accountId }]);
  });

  it('by one person is credited once', async () => {
    const code = await makeCode();
    const person = await fixture.user();
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => redeem(person, code)));
    expect(tally(answers)).toEqual({ '201': 1, '409 code_redeemed': AT_ONCE - 1 });
    expect(await creditsOf([person])).toEqual(['5000000000']);
    expect(await availableOf(fixture, person)).toBe('5');
  });
});

describe('20 codes handed in by one person at the same moment', () => {
  it('are all redeemed and credited', async () => {
    const codes = await makeCodes(20);
    const person = await fixture.user();
    const answers = await Promise.all(codes.map((code) => redeem(person, code)));
    expect(tally(answers)).toEqual({ '201': codes.length });
    expect(await availableOf(fixture, person)).toBe('100');
  });
});
