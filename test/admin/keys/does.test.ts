import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyDigest } from '../../../gateway/secrets/api-key.ts';
import { verifyKey } from '../../../gateway/authentication/verify-key.ts';
import { TEST_SECRETS } from '../../support/seed.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { layAdminGround, type AdminGround, type Person } from '../support/ground.ts';

let ground: AdminGround;
let admin: Person;
let owner: Person;
let catalog: Catalog;

beforeAll(async () => {
  ground = await layAdminGround();
  admin = await ground.admin();
  owner = await ground.user();
  catalog = await makeCatalog(ground, admin);
});
afterAll(() => ground.close());

function verify(value: string) {
  return verifyKey(ground.pool, TEST_SECRETS, value);
}

describe('making a key', () => {
  it('shows the value once and stores only its digest', async () => {
    const made = await makeKey(ground, owner, catalog.groupId);
    expect(made.value).toMatch(/^sk-[0-9A-Za-z]{27,}$/);
    expect(made.prefix).toBe(made.value.slice(0, made.prefix.length));
    const { rows } = await ground.pool.query('select * from keys where id = $1', [made.id]);
    expect(JSON.stringify(rows)).not.toContain(made.value);
    expect(rows[0]).toMatchObject({ digest: keyDigest(TEST_SECRETS, made.value) });
    const shown = await ground.ask('getKey', { as: owner, params: { keyId: made.id } });
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
    const made = await ground.ask('createKey', {
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
