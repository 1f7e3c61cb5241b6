/** Budgets above the key, from the database to the client's dialect and the record. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  openBillingFixture,
  type BillingFixture,
  type Customer,
} from '../../settlement/support/billing-fixture.ts';

let billing: BillingFixture;
let customer: Customer;
let memberId: number;
let teamId: number;

beforeAll(async () => {
  billing = await openBillingFixture();
  customer = await billing.newCustomer();
  const { accountId, keyId } = customer.seeded;
  const { rows } = await billing.pool.query<{ memberId: number; teamId: number }>(
    `with person as (
       insert into users (id, account_id, email, password_hash)
       values (gen_random_uuid(), $1, gen_random_uuid() || '@example.org', '') returning id
     ), team as (insert into teams (account_id, name) values ($1, 'Research') returning id)
     select team.id as "teamId", 0 as "memberId" from person, team`,
    [accountId],
  );
  teamId = rows[0]?.teamId ?? 0;
  const members = await billing.pool.query<{ id: number }>(
    'update members set team_id = $2 where account_id = $1 returning id',
    [accountId, teamId],
  );
  memberId = members.rows[0]?.id ?? 0;
  await billing.pool.query('update keys set member_id = $2 where id = $1', [keyId, memberId]);
});
afterAll(() => billing.close());

async function setBudget(scope: string, dayNanoUsd: number | null): Promise<void> {
  const { accountId } = customer.seeded;
  await billing.pool.query(
    `insert into spend_budgets (account_id, scope, day_nano_usd) values ($1, $2, $3)
     on conflict (account_id, scope) do update set day_nano_usd = excluded.day_nano_usd`,
    [accountId, scope, dayNanoUsd],
  );
  billing.accountChanged(accountId);
}

const messages = [{ role: 'user', content: 'Hello' }];

/** Each protocol that generates: path, body, and the status of a refusal for money. */
const CALLS = [
  ['/v1/chat/completions', { messages }, 402],
  ['/v1/messages', { messages, max_tokens: 10 }, 402],
  ['/v1/responses', { input: 'Hello' }, 429],
] as const;

describe.each([
  ['account', 'This account’s budget does not cover the request'],
  ['team', 'Your team’s budget does not cover the request'],
  ['member', 'Your own budget does not cover the request'],
] as const)('a budget of the %s that is used up', (level, sentence) => {
  it.each(CALLS)('is named to clients of %s, with who can raise it', async (path, body, status) => {
    const scope = { account: 'account', team: `team:${teamId}`, member: `member:${memberId}` }[
      level
    ];
    await setBudget(scope, 1);
    const reply = await fetch(`${billing.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer.seeded.key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: customer.model, ...body }),
    });
    const text = await reply.text();
    expect([reply.status, text]).toEqual([status, expect.stringContaining(sentence)]);
    expect(text).toContain('An owner or administrator of the account can raise it');
    await setBudget(scope, null);
    expect((await customer.send()).status).toBe(200);
  });
});

it('the record names the member and the team', async () => {
  await customer.send();
  await customer.bill();
  const { rows } = await billing.pool.query(
    `select distinct member_id as "memberId", team_id as "teamId" from usage_records where account_id = $1`,
    [customer.seeded.accountId],
  );
  expect(rows).toEqual([{ memberId, teamId }]);
});
