import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableOf, giveMoney } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
});
afterAll(() => fixture.close());

function credit(to: Person, body: object, headers: Record<string, string> = {}) {
  const params = { accountId: to.accountId };
  return fixture.ask('createCredit', {
    as: admin,
    params,
    headers,
    body: { reason: 'why', ...body },
  });
}

describe('a credit', () => {
  it('is in the book, the journal, the ledger and the audit log', async () => {
    const owner = await fixture.user();
    const given = await credit(owner, { amountUsd: '12.5', kind: 'top_up' });
    expect(given.reply).toMatchObject({
      accountId: owner.accountId,
      sequence: 1,
      amountUsd: '12.5',
      kind: 'top_up',
      actor: admin.userId,
    });
    expect(await availableOf(fixture, owner)).toBe('12.5');
    const journal = await fixture.pool.query(
      'select debit, credit, amount_nano_usd as amount from journal_entries where account_id = $1',
      [owner.accountId],
    );
    expect(journal.rows).toEqual([
      { debit: 'cash', credit: 'customer_balance', amount: 12_500_000_000 },
    ]);
    const log = await fixture.ask('listAuditEntries', {
      as: admin,
      query: { action: 'createCredit', subjectId: owner.accountId },
    });
    expect(log.reply.data[0]?.after).toMatchObject({ amountUsd: '12.5', reason: 'why' });
  });

  it('that takes more than there is leaves the rest owed', async () => {
    const owner = await fixture.user();
    await credit(owner, { amountUsd: '3' });
    await credit(owner, { amountUsd: '-5' });
    const { balance } = (await fixture.ask('getOwnAccount', { as: owner })).reply;
    expect(balance).toMatchObject({ availableUsd: '0', owedUsd: '2' });
    await credit(owner, { amountUsd: '10' });
    expect(await availableOf(fixture, owner)).toBe('8');
  });

  it('with the same Idempotency-Key is given once, and answered alike', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'credit-of-today' };
    const first = await credit(owner, { amountUsd: '4' }, headers);
    const second = await credit(owner, { amountUsd: '4' }, headers);
    expect(second.reply).toEqual(first.reply);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await availableOf(fixture, owner)).toBe('4');
  });

  it('sent twenty times at once with one Idempotency-Key is given once', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'impatient-finger' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => credit(owner, { amountUsd: '4' }, headers)),
    );
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(answer.problem.code).toBe('idempotency_in_progress');
    }
    expect((await credit(owner, { amountUsd: '4' }, headers)).status).toBe(201);
    expect(await availableOf(fixture, owner)).toBe('4');
  });

  it('whose answer was lost in a crash is not given again by the repeat', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'lost-its-answer' };
    const first = await credit(owner, { amountUsd: '6' }, headers);
    await fixture.pool.query(
      `update idempotency_keys set reply_status = null, reply_sealed = null where key = 'lost-its-answer'`,
    );
    const again = await credit(owner, { amountUsd: '6' }, headers);
    expect(again.reply).toEqual(first.reply);
    expect(await availableOf(fixture, owner)).toBe('6');
  });

  it('whose first run crashed is kept away by its lock until that runs out', async () => {
    const owner = await fixture.user();
    const headers = { 'idempotency-key': 'crashed-midway' };
    const lockFor = (interval: string) =>
      fixture.pool.query(
        `update idempotency_keys set reply_status = null, reply_sealed = null, locked_until = now() + $1::interval
         where key = 'crashed-midway'`,
        [interval],
      );
    const first = await credit(owner, { amountUsd: '6' }, headers);
    await lockFor('30 seconds');
    const kept = await credit(owner, { amountUsd: '6' }, headers);
    expect(kept.problem.code).toBe('idempotency_in_progress');
    await lockFor('-1 second');
    const again = await credit(owner, { amountUsd: '6' }, headers);
    expect(again.reply).toEqual(first.reply);
    expect(await availableOf(fixture, owner)).toBe('6');
  });
});

describe('the list of credits', () => {
  it('shows owners their own, newest first, page by page, by kind', async () => {
    const owner = await fixture.user();
    const other = await fixture.user();
    for (const amountUsd of ['1', '2', '3', '4', '5']) {
      await giveMoney(fixture, { admin, to: owner, amountUsd });
      await giveMoney(fixture, { admin, to: other, amountUsd: '100' });
    }
    await credit(owner, { amountUsd: '6', kind: 'refund' });
    const amounts: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 4, ...(cursor === undefined ? {} : { cursor }) };
      const page = (await fixture.ask('listOwnCredits', { as: owner, query })).reply;
      amounts.push(...page.data.map(({ amountUsd }) => amountUsd));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(amounts).toEqual(['6', '5', '4', '3', '2', '1']);
    const query = { kind: 'refund' as const };
    const refunds = await fixture.ask('listOwnCredits', { as: owner, query });
    expect(refunds.reply.data).toHaveLength(1);
  });

  it('shows an administrator everyone’s by name, each once over all pages', async () => {
    const accounts = await fixture.pool.query<{ id: string; name: string }>(
      'select id, name from accounts',
    );
    const names = new Map(accounts.rows.map(({ id, name }) => [id, name]));
    const seen = new Set<string>();
    let count = 0;
    let cursor: string | undefined;
    do {
      const query = { limit: 3, ...(cursor === undefined ? {} : { cursor }) };
      const page = (await fixture.ask('listCredits', { as: admin, query })).reply;
      for (const { accountId, accountName, sequence } of page.data) {
        expect(accountName).toBe(names.get(accountId));
        seen.add(`${accountId} ${String(sequence)}`);
        count += 1;
      }
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const { rows } = await fixture.pool.query('select 1 from credits');
    expect([seen.size, count]).toEqual([rows.length, rows.length]);
  });
});

describe('everybody’s credits', () => {
  it.each([
    ['of this month', `where created_at >= date_trunc('month', now())`],
    ['by time', 'order by created_at desc, account_id desc, sequence desc limit 50'],
  ])('%s are found in an index', async (_what, clause) => {
    const client = await fixture.pool.connect();
    // A table of a few rows is read whole by itself, whatever indexes it has.
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query<Record<'QUERY PLAN', string>>(
      `explain select amount_nano_usd from credits ${clause}`,
    );
    await client.query('reset enable_seqscan');
    client.release();
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('credits_created');
  });
});
