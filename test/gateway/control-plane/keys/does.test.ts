import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasCheckLetters, keyDigest } from '../../../../gateway/platform/secrets/api-key.ts';
import { loadSnapshot } from '../../../../gateway/catalog/load-snapshot.ts';
import { verifyKey } from '../../../../gateway/data-plane/authentication/verify-key.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

let fixture: AdminFixture;
let admin: Person;
let owner: Person;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  owner = await fixture.user();
  catalog = await makeCatalog(fixture, admin);
});
afterAll(() => fixture.close());

function verify(value: string) {
  return verifyKey(fixture.pool, TEST_SECRETS, value);
}

describe('making a key', () => {
  it('shows the value once and stores only its digest', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    expect(made.value).toMatch(/^sk-[0-9A-Za-z]{27,}$/);
    expect(made.prefix).toBe(made.value.slice(0, made.prefix.length));
    const { rows } = await fixture.pool.query('select * from keys where id = $1', [made.id]);
    expect(JSON.stringify(rows)).not.toContain(made.value);
    expect(rows[0]).toMatchObject({
      digest: keyDigest(TEST_SECRETS, made.value),
      has_check_letters: true,
    });
    expect(hasCheckLetters(TEST_SECRETS, made.value)).toBe(true);
    const shown = await fixture.ask('getKey', { as: owner, params: { keyId: made.id } });
    expect(shown.reply).not.toHaveProperty('value');
  });

  it('keeps every limit it was given', async () => {
    const limits = {
      expiresAt: '2100-01-01T00:00:00.000Z',
      budgetTotalUsd: '12.5',
      budgetDayUsd: '0',
      budgetMonthUsd: '9007199.25',
      rpm: 60,
      tpm: 100_000,
      concurrencyMax: 4,
      ipAllowlist: ['203.0.113.7', '2001:db8::/32'],
      modelAllowlist: [catalog.publicId],
    };
    const made = await fixture.ask('createKey', {
      as: owner,
      body: { name: 'limited', groupId: catalog.groupId, ...limits },
    });
    expect(made.reply).toMatchObject(limits);
    expect(await verify(made.reply.value)).toMatchObject({
      keyId: made.reply.id,
      budgetTotal: 12_500_000_000,
      budgetDay: 0,
      rpm: 60,
    });
  });
});

describe('changing a key', () => {
  it('changes what was sent and nothing else, and tells the gateways', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const before = await fixture.pool.query<{ last: number }>(
      'select max(sequence) as last from changes',
    );
    const changed = await fixture.ask('updateKey', {
      as: owner,
      anyVersion: true,
      params: { keyId: made.id },
      body: { rpm: 10, status: 'disabled' },
    });
    expect(changed.reply).toMatchObject({
      rpm: 10,
      status: 'disabled',
      name: made.name,
      tpm: null,
    });
    const { rows } = await fixture.pool.query('select kind, ref from changes where sequence > $1', [
      before.rows[0]?.last ?? 0,
    ]);
    expect(rows).toContainEqual({ kind: 'key', ref: made.id });
    expect(await verify(made.value)).toMatchObject({ status: 'disabled', rpm: 10 });
  });

  it('takes a limit away by null', async () => {
    const made = await fixture.ask('createKey', {
      as: owner,
      body: { name: 'limited', groupId: catalog.groupId, rpm: 5, budgetDayUsd: '1' },
    });
    const changed = await fixture.ask('updateKey', {
      as: owner,
      anyVersion: true,
      params: { keyId: made.reply.id },
      body: { rpm: null, budgetDayUsd: null },
    });
    expect(changed.reply).toMatchObject({ rpm: null, budgetDayUsd: null });
  });

  it('deletes a key for good: it works no more and is in no list', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const params = { keyId: made.id };
    expect((await fixture.ask('deleteKey', { as: owner, params })).status).toBe(204);
    expect(await verify(made.value)).toMatchObject({ status: 'deleted' });
    expect((await fixture.ask('getKey', { as: owner, params })).status).toBe(404);
    const { data } = (await fixture.ask('listKeys', { as: owner })).reply;
    expect(data.map(({ id }) => id)).not.toContain(made.id);
  });

  it('lets an administrator disable anyone’s, with an audit entry that holds no secret', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const params = { keyId: made.id };
    const changed = await fixture.ask('updateKeyOfAnyone', {
      as: admin,
      anyVersion: true,
      params,
      body: { status: 'disabled' },
    });
    expect(changed.reply.status).toBe('disabled');
    const log = await fixture.ask('listAuditEntries', { as: admin, query: { subjectId: made.id } });
    expect(log.reply.data[0]).toMatchObject({
      before: { status: 'active' },
      after: { status: 'disabled' },
    });
    expect(log.text).not.toContain(made.value);
  });
});

describe('rotating a key', () => {
  it('at once: the former value stops, the key keeps its id and limits', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const rotated = await fixture.ask('rotateKey', {
      as: owner,
      params: { keyId: made.id },
      body: { overlapSeconds: 0 },
    });
    expect(rotated.reply.id).toBe(made.id);
    expect(rotated.reply.value).not.toBe(made.value);
    expect(await verify(made.value)).toBeNull();
    expect(await verify(rotated.reply.value)).toMatchObject({ keyId: made.id, status: 'active' });
  });

  it('with an overlap: both values work, the former with an end', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const params = { keyId: made.id };
    const rotated = await fixture.ask('rotateKey', {
      as: owner,
      params,
      body: { overlapSeconds: 3600 },
    });
    const until = Date.parse(rotated.reply.formerValueWorksUntil ?? '');
    expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(10_000);
    const former = await verify(made.value);
    expect(former).toMatchObject({ keyId: made.id, accountId: owner.accountId });
    expect(Math.abs((former?.expiresAtMs ?? 0) - until)).toBeLessThan(2);
    expect((await verify(rotated.reply.value))?.expiresAtMs).toBeNull();
    await fixture.pool.query('update key_aliases set works_until = now()');
    expect(await verify(made.value)).toBeNull();
  });

  it('again without an overlap ends every former value', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const params = { keyId: made.id };
    await fixture.ask('rotateKey', { as: owner, params, body: { overlapSeconds: 3600 } });
    await fixture.ask('rotateKey', { as: owner, params, body: { overlapSeconds: 0 } });
    expect(await verify(made.value)).toBeNull();
  });
});

describe('a key without check letters', () => {
  /** Returns the prefixes by which gateways accept keys without check letters. */
  async function prefixes(): Promise<readonly string[]> {
    const { snapshot } = await loadSnapshot(fixture.pool, {
      version: 1,
      secrets: TEST_SECRETS,
      onUnreadable: () => undefined,
    });
    return snapshot.uncheckedKeyPrefixes;
  }

  it('is known by its prefix for as long as one of its values works, after a rotation as well', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    expect(await prefixes()).toEqual([]);
    const chosen = 'sk-chosenByTheOperatorOfThisService';
    await fixture.pool.query(
      `update keys set digest = $2, prefix = 'sk-chosen', has_check_letters = false where id = $1`,
      [made.id, keyDigest(TEST_SECRETS, chosen)],
    );
    expect(await prefixes()).toEqual(['sk-chosen']);
    const params = { keyId: made.id };
    await fixture.ask('rotateKey', { as: owner, params, body: { overlapSeconds: 3600 } });
    expect(await prefixes()).toEqual(['sk-chosen']);
    expect(await verify(chosen)).toMatchObject({ keyId: made.id });
    await fixture.ask('rotateKey', { as: owner, params, body: { overlapSeconds: 0 } });
    expect(await prefixes()).toEqual([]);
    await fixture.ask('createTemporaryKeyValue', { as: owner, params });
    expect(await prefixes()).toEqual([]);
  });
});

describe('a temporary value', () => {
  it('is the same key for an hour and is gone with it', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const params = { keyId: made.id };
    const lent = await fixture.ask('createTemporaryKeyValue', { as: owner, params });
    const minutes = (Date.parse(lent.reply.worksUntil) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(59);
    expect(minutes).toBeLessThan(61);
    expect(await verify(lent.reply.value)).toMatchObject({ keyId: made.id });
    await fixture.ask('deleteKey', { as: owner, params });
    expect(await verify(lent.reply.value)).toBeNull();
  });
});

describe('the list of keys', () => {
  it('is the owner’s own, searched and paged', async () => {
    const person = await fixture.user();
    const made: string[] = [];
    for (const name of ['alpha', 'beta', 'gamma']) {
      const body = { name, groupId: catalog.groupId };
      made.push((await fixture.ask('createKey', { as: person, body })).reply.id);
    }
    const first = (await fixture.ask('listKeys', { as: person, query: { limit: 2 } })).reply;
    const cursor = first.nextCursor ?? '';
    const second = (await fixture.ask('listKeys', { as: person, query: { limit: 2, cursor } }))
      .reply;
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(ids).toEqual(made.toReversed());
    expect(second.nextCursor).toBeNull();
    const found = await fixture.ask('listKeys', { as: person, query: { search: 'BET' } });
    expect(found.reply.data.map(({ name }) => name)).toEqual(['beta']);
    const all = await fixture.ask('listKeysOfEveryone', {
      as: admin,
      query: { accountId: person.accountId },
    });
    expect(all.reply.data).toHaveLength(3);
  });

  it('is found by its whole value, also by a former one, which is nowhere in the log', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    const params = { keyId: made.id };
    const body = { overlapSeconds: 600 };
    const { value } = (await fixture.ask('rotateKey', { as: owner, params, body })).reply;
    for (const search of [made.value, ` ${value} `, `Bearer ${value}`]) {
      const found = await fixture.ask('listKeysOfEveryone', { as: admin, query: { search } });
      expect(found.reply.data.map(({ id }) => id)).toEqual([made.id]);
    }
    const wrong = `${value.slice(0, -1)}?`;
    const none = await fixture.ask('listKeysOfEveryone', { as: admin, query: { search: wrong } });
    expect(none.reply.data).toEqual([]);
    for (const key of [made.value, value]) expect(fixture.log.join('')).not.toContain(key);
  });

  it('shows what a key has spent in all, today and this month', async () => {
    const made = await makeKey(fixture, owner, catalog.groupId);
    await fixture.pool.query(
      `insert into key_spend (key_id, period, period_start, spent_nano_usd)
       select $1, period, period_start(period, now()), amount
       from (values ('total', 3000000000), ('day', 1000000000), ('month', 2000000000)) as v(period, amount)`,
      [made.id],
    );
    await fixture.pool.query(
      `insert into key_spend values ($1, 'day', period_start('day', now()) - interval '1 day', 999)`,
      [made.id],
    );
    const shown = await fixture.ask('getKey', { as: owner, params: { keyId: made.id } });
    expect(shown.reply.spend).toEqual({ totalUsd: '3', dayUsd: '1', monthUsd: '2' });
  });
});
