import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resealAll } from '../../../../gateway/control-plane/secret-rotations/reseal.ts';
import {
  deriveSecrets,
  isSealedCurrently,
  unseal,
} from '../../../../gateway/platform/secrets/secrets.ts';
import { TEST_SECRET_KEY } from '../../../support/seed.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

const NEXT = deriveSecrets('the next secret key, for tests only', TEST_SECRET_KEY);
const CREDENTIAL = 'credential-sealed-under-the-former-key';

let fixture: AdminFixture;
let admin: Person;
let codes: string[];
let invitation: string;

const SEALED = [
  'channel_credentials',
  'second_factors',
  'redemption_codes',
  'invitation_codes',
  'sign_on_providers',
];

async function sealedValues(): Promise<string[]> {
  const values: string[] = [];
  for (const table of SEALED) {
    const { rows } = await fixture.pool.query<{ sealed: string }>(`select sealed from ${table}`);
    expect(rows.length, table).toBeGreaterThan(0);
    values.push(...rows.map(({ sealed }) => sealed));
  }
  return values;
}

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  await fixture.ask('createChannel', {
    as: admin,
    body: { name: 'one', baseUrl: 'https://1.1.1.1/v1', credentials: [CREDENTIAL] },
  });
  await fixture.ask('beginSecondFactor', { as: admin, body: { password: PASSWORD } });
  const batch = await fixture.ask('createRedemptionBatch', {
    as: admin,
    body: { name: 'batch', count: 700, kind: 'balance', amountUsd: '1' },
  });
  codes = batch.reply.codes;
  await fixture.ask('createSignOnProvider', {
    as: admin,
    body: {
      slug: 'company',
      preset: 'oidc',
      name: 'company',
      issuer: 'https://1.1.1.1',
      clientId: 'weir',
      clientSecret: 'the-secret-of-the-client',
    },
  });
  const made = await fixture.ask('createInvitationCode', { as: admin, body: { usesMax: 1 } });
  invitation = made.reply.code;
});
afterAll(() => fixture.close());

describe('resealing under a new SECRET_KEY', () => {
  it('changes every sealed value, more than a batch of them, and none of their contents', async () => {
    const before = (await sealedValues()).map((value) => unseal(NEXT, value));
    const report = await resealAll(fixture.pool, NEXT);
    expect(report).toMatchObject({ resealed: 704, unreadable: 0 });
    const after = await sealedValues();
    expect(after.every((value) => isSealedCurrently(NEXT, value))).toBe(true);
    // The former key is no longer needed for any of them.
    const alone = deriveSecrets('the next secret key, for tests only');
    expect(after.map((value) => unseal(alone, value)).toSorted()).toEqual(before.toSorted());
    expect(before).toEqual(expect.arrayContaining([CREDENTIAL, ...codes.slice(0, 3), invitation]));
  });

  it('forgets remembered answers, and not what they were answers to', async () => {
    const owner = await fixture.user();
    const credit = {
      as: admin,
      params: { accountId: owner.accountId },
      headers: { 'idempotency-key': 'invoice-2026-11-0001' },
      body: { amountUsd: '5', reason: 'an invoice' },
    };
    expect((await fixture.ask('createCredit', credit)).status).toBe(201);
    await resealAll(fixture.pool, NEXT);
    expect((await fixture.ask('createCredit', credit)).status).toBe(201);
    const { rows } = await fixture.pool.query(
      'select balance_nano_usd as "nanoUsd" from accounts where id = $1',
      [owner.accountId],
    );
    expect(rows).toEqual([{ nanoUsd: 5_000_000_000 }]);
  });

  it('does nothing the second time', async () => {
    expect(await resealAll(fixture.pool, NEXT)).toMatchObject({ resealed: 0, unreadable: 0 });
  });

  it('leaves alone what neither key opens, and says how many', async () => {
    const foreign = deriveSecrets('a third secret key that nobody has told');
    const before = await sealedValues();
    expect(await resealAll(fixture.pool, foreign)).toMatchObject({ resealed: 0, unreadable: 704 });
    expect(await sealedValues()).toEqual(before);
  });

  it('is asked for by an administrator, and audited', async () => {
    const next = await createAdminFixture();
    const boss = await next.admin();
    const done = await next.ask('rotateSecrets', { as: boss });
    expect(done.reply).toMatchObject({ resealed: 0, unreadable: 0 });
    const log = await next.ask('listAuditEntries', { as: boss });
    expect(log.reply.data[0]?.action).toBe('rotateSecrets');
    await next.close();
  });
});
