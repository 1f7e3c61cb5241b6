import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  signedEvent,
  startFakeStripe,
  STRIPE_KEY,
  WEBHOOK_SECRET,
  type FakeStripe,
} from './support/fake-stripe.ts';
import { makeCatalog } from './support/catalog.ts';
import { layAdminGround, PASSWORD, type AdminGround, type Person } from './support/ground.ts';
import { startFakeUpstream, type FakeUpstream } from '../support/fake-upstream.ts';

const UPSTREAM_CREDENTIAL = 'upstream-credential-0123456789abcdef';
const NEW_PASSWORD = 'an entirely new password';

let stripe: FakeStripe;
let upstream: FakeUpstream;
let ground: AdminGround;
/** Everything that nobody may find, by what it is. */
const secrets = new Map<string, string>();

beforeAll(async () => {
  stripe = await startFakeStripe();
  upstream = await startFakeUpstream();
  ground = await layAdminGround({
    stripeAddress: stripe.address,
    // Nobody listens there: links are neither logged nor delivered.
    config: {
      smtpUrl: 'smtp://127.0.0.1:9',
      stripeSecretKey: STRIPE_KEY,
      stripeWebhookSecret: WEBHOOK_SECRET,
    },
  });
  const admin = await ground.admin();
  await useCredentials(admin);
  await useKeys(admin);
  await useCodesAndCards(admin);
  secrets.set('password', PASSWORD);
  secrets.set('new password', NEW_PASSWORD);
  secrets.set('Stripe key', STRIPE_KEY);
  secrets.set('webhook secret', WEBHOOK_SECRET);
});
afterAll(async () => {
  await ground.close();
  await stripe.close();
  await upstream.close();
});

async function useCredentials(admin: Person): Promise<void> {
  const person = await ground.user();
  secrets.set('session', person.cookie.split('=')[1] ?? '');
  secrets.set('session of an administrator', admin.cookie.split('=')[1] ?? '');
  const token = await ground.ask('createAccessToken', {
    as: person,
    body: { name: 't', scope: 'full' },
  });
  secrets.set('access token', token.reply.token);
  await ground.ask('getOwnUser', { as: { token: token.reply.token } });
  const begun = await ground.ask('beginSecondFactor', { as: person, body: { password: PASSWORD } });
  secrets.set('second factor', begun.reply.secret);
  const code = new TOTP({ secret: Secret.fromBase32(begun.reply.secret) }).generate();
  const confirmed = await ground.ask('confirmSecondFactor', { as: person, body: { code } });
  secrets.set('recovery code', confirmed.reply.recoveryCodes[0] ?? '');
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  await ground.ask('changePassword', { as: person, body });
  await ground.ask('requestPasswordReset', { body: { email: person.email } });
  await ground.ask('logIn', { body: { email: person.email, password: 'a mistyped password' } });
  secrets.set('mistyped password', 'a mistyped password');
}

async function useKeys(admin: Person): Promise<void> {
  const owner = await ground.user();
  const { groupId, modelId } = await makeCatalog(ground, admin);
  const key = await ground.ask('createKey', { as: owner, body: { name: 'key', groupId } });
  secrets.set('key', key.reply.value);
  const params = { keyId: key.reply.id };
  const lent = await ground.ask('createTemporaryKeyValue', { as: owner, params });
  secrets.set('temporary key', lent.reply.value);
  const rotated = await ground.ask('rotateKey', {
    as: owner,
    params,
    body: { overlapSeconds: 60 },
  });
  secrets.set('rotated key', rotated.reply.value);
  // Typed into the wrong places, as people do.
  await ground.ask('listKeys', { as: owner, query: { search: key.reply.value } });
  await ground.ask('getOwnUser', { as: { token: key.reply.value } });
  const channel = await ground.ask('createChannel', {
    as: admin,
    body: {
      name: 'channel',
      baseUrl: upstream.url,
      allowPrivate: true,
      credentials: [UPSTREAM_CREDENTIAL],
      models: [{ modelId, upstreamName: 'echo' }],
    },
  });
  secrets.set('upstream credential', UPSTREAM_CREDENTIAL);
  upstream.behave('echo', {
    kind: 'status',
    status: 401,
    body: `no such key: ${UPSTREAM_CREDENTIAL}`,
  });
  const channelId = channel.reply.id;
  await ground.ask('testChannel', { as: admin, params: { channelId }, body: {} });
}

async function useCodesAndCards(admin: Person): Promise<void> {
  const owner = await ground.user();
  const batch = await ground.ask('createRedemptionBatch', {
    as: admin,
    body: { name: 'batch', count: 2, kind: 'balance', amountUsd: '1' },
  });
  const [code = '', unused = ''] = batch.reply.codes;
  secrets.set('redemption code', unused);
  await ground.ask('redeemCode', { as: owner, body: { code } });
  await ground.ask('exportRedemptionBatch', { as: admin, params: { batchId: batch.reply.id } });
  const invitation = await ground.ask('createInvitationCode', { as: admin, body: { usesMax: 1 } });
  secrets.set('invitation code', invitation.reply.code);
  const body = { kind: 'top_up', amountUsd: '10' };
  const { id } = (await ground.ask('createOrder', { as: owner, body })).reply;
  const event = signedEvent('checkout.session.completed', stripe.pay(id));
  await ground.app.inject({ method: 'POST', url: '/api/v1/stripe-webhooks', ...event });
  // Failures are logged whole.
  stripe.failWith = 'refusal';
  await ground.ask('createOrder', { as: owner, body });
  stripe.failWith = 'nothing';
  const url = '/api/v1/stripe-webhooks';
  await ground.app.inject({ method: 'POST', url, ...event, payload: `${event.payload} ` });
}

/** Every row of every table as text; bytes as hexadecimal. */
async function dump(): Promise<string> {
  const { rows: tables } = await ground.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await ground.pool.query<{ row: string }>(
        `select t::text as row from ${name} t`,
      );
      return rows.map(({ row }) => row).join('\n');
    }),
  );
  return texts.join('\n');
}

/** A secret as it may be written: as it is, in hexadecimal, in base 64. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Base 64 depends on the neighbours; three alignments cover every place inside of a longer text.
  const aligned = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(4, -4)
      .replace(/=+$/, ''),
  );
  return [secret, JSON.stringify(secret).slice(1, -1), bytes.toString('hex'), ...aligned];
}

describe('after everything that has a secret was used', () => {
  it('the secrets are all there to be looked for', () => {
    expect(secrets.size).toBe(16);
    for (const [what, secret] of secrets) expect(secret.length, what).toBeGreaterThan(15);
  });

  it('the database holds none of them in clear', async () => {
    const text = await dump();
    expect(text.length).toBeGreaterThan(10_000);
    for (const [what, secret] of secrets) {
      for (const writing of writings(secret)) expect(text.includes(writing), what).toBe(false);
    }
  });

  it('the log holds none of them', () => {
    const text = ground.log.join('\n');
    expect(text).toContain('No, says Stripe.');
    for (const [what, secret] of secrets) {
      for (const writing of writings(secret)) expect(text.includes(writing), what).toBe(false);
    }
  });

  it('the scan would find one', async () => {
    await ground.pool.query(`update settings set announcement = $1`, [UPSTREAM_CREDENTIAL]);
    expect(await dump()).toContain(UPSTREAM_CREDENTIAL);
  });
});
