/** The conditions of the credit for registering, and of registering at all. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { foldMailbox } from '../../../../gateway/control-plane/registrations/registration-credit.ts';
import { siteOf } from '../../../../gateway/platform/network/address.ts';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import {
  HCAPTCHA_SECRET,
  SITE_KEY,
  startFakeCaptcha,
  TURNSTILE_SECRET,
  type FakeCaptcha,
} from '../support/fakes/fake-captcha.ts';
import {
  createAdminFixture,
  PASSWORD,
  type AdminFixture,
  type Person,
} from '../support/fixture.ts';

let fixture: AdminFixture;
let captcha: FakeCaptcha;
let admin: Person;
let network = 0;
/** The time-out for an unresponsive vendor; others have all the time that a slow machine needs. */
const SILENCE_MS = 50;
let verdictMs = HANG_MS;

beforeAll(async () => {
  captcha = await startFakeCaptcha();
  fixture = await createAdminFixture({
    config: { trustedProxyHops: 1 },
    captchaAddresses: captcha.addresses,
    captchaDeadline: () => AbortSignal.timeout(verdictMs),
  });
  admin = await fixture.admin();
});
afterAll(async () => {
  await fixture.close();
  await captcha.close();
});

const OPEN = {
  registrationMode: 'open',
  emailVerificationRequired: false,
  registrationCreditUsd: '5',
  registrationCreditsPerNetwork: 3,
  emailDomainsAllowed: [],
  emailDomainsRefused: [],
  captchaProvider: 'none',
} as const;

function set(body: object) {
  return fixture.ask('updateSettings', { as: admin, anyVersion: true, body });
}

beforeEach(async () => {
  await set(OPEN);
  captcha.fail(undefined);
  verdictMs = HANG_MS;
});

/** A network that no other test has used. */
function newNetwork(): string {
  network += 1;
  return `198.18.${String(network)}.7`;
}

function register(email: string, from: string = newNetwork(), body: object = {}) {
  return fixture.ask('register', {
    headers: { 'x-forwarded-for': from },
    body: { email, password: PASSWORD, ...body },
  });
}

async function balanceOf(email: string): Promise<number> {
  const { rows } = await fixture.pool.query<{ balance: number }>(
    `select a.balance_nano_usd as balance from users u join accounts a on a.id = u.account_id where u.email = $1`,
    [email],
  );
  return (rows[0]?.balance ?? NaN) / 1e9;
}

const balancesOf = (emails: readonly string[]) => Promise.all(emails.map(balanceOf));

describe('the credit for registering', () => {
  it('comes once for a mailbox, whatever is written behind a plus', async () => {
    const emails = ['ann@example.org', 'ann+1@example.org', 'ann+2@example.org'];
    for (const email of emails) expect((await register(email)).status).toBe(202);
    expect(await balancesOf(emails)).toEqual([5, 0, 0]);
  });

  it('comes once for a mailbox of Google, whatever dots and domain it is written with', async () => {
    const emails = ['bob.lee@gmail.com', 'boblee@gmail.com', 'b.o.b.l.e.e@googlemail.com'];
    for (const email of emails) await register(email);
    expect(await balancesOf(emails)).toEqual([5, 0, 0]);
  });

  it('comes so often for a network within a day as is set, and again a day later', async () => {
    const emails = Array.from({ length: 5 }, (_, at) => `net${String(at)}@example.org`);
    for (const [at, email] of emails.entries())
      await register(email, `203.0.113.${String(at + 1)}`);
    expect(await balancesOf(emails)).toEqual([5, 5, 5, 0, 0]);
    await fixture.pool.query(`update registration_credits set at = at - interval '25 hours'`);
    await register('later@example.org', '203.0.113.9');
    expect(await balanceOf('later@example.org')).toBe(5);
  });

  it('counts registrations that come at once', async () => {
    const emails = Array.from({ length: 12 }, (_, at) => `race${String(at)}@example.org`);
    await Promise.all(emails.map((email) => register(email, '203.0.114.1')));
    const balances = await balancesOf(emails);
    expect(balances.filter((balance) => balance === 5)).toHaveLength(3);
    const same = Array.from({ length: 6 }, (_, at) => `same+${String(at)}@example.org`);
    await Promise.all(same.map((email) => register(email)));
    expect((await balancesOf(same)).filter((balance) => balance === 5)).toHaveLength(1);
  });

  it('waits for the confirmation, and counts the network that registered', async () => {
    await set({ emailVerificationRequired: true, registrationCreditsPerNetwork: 1 });
    for (const name of ['first', 'second']) {
      const email = `${name}@confirmed.example`;
      await register(email, '203.0.115.1');
      await fixture.ask('verifyEmail', { body: { token: fixture.lastLink(email).token } });
    }
    expect(await balanceOf('first@confirmed.example')).toBe(5);
    expect(await balanceOf('second@confirmed.example')).toBe(0);
  });

  it('passes the same guard with an invitation', async () => {
    await set({ registrationMode: 'invitation' });
    const { reply } = await fixture.ask('createInvitationCode', {
      as: admin,
      body: { usesMax: 10 },
    });
    const emails = ['invited@example.org', 'invited+1@example.org'];
    for (const email of emails) {
      await register(email, undefined, { invitationCode: reply.code });
    }
    expect(await balancesOf(emails)).toEqual([5, 0]);
  });

  it('leaves no address in the database but that of the user', async () => {
    await register('trace+x@example.org', '203.0.116.77');
    const { rows } = await fixture.pool.query<{ row: string }>(
      'select r::text as row from registration_credits r',
    );
    const text = rows.map(({ row }) => row).join('\n');
    expect(text).not.toMatch(/trace|203\.0\.116/);
  });
});

describe('folding', () => {
  it.each([
    ['Ann+shop@Example.org', 'ann@example.org'],
    ['+ann@example.org', '+ann@example.org'],
    ['a.n.n@example.org', 'a.n.n@example.org'],
    ['a.n.n+1@GoogleMail.com', 'ann@gmail.com'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
    ['ａｎｎ@example.org', 'ann@example.org'],
  ])('%s reaches %s', (email, mailbox) => expect(foldMailbox(email)).toBe(mailbox));

  it.each([
    ['203.0.113.7', '203.0.113'],
    ['::ffff:203.0.113.7', '203.0.113'],
    ['2001:db8:1:2:3::4', siteOf('2001:db8:1:ffff::1')],
  ])('%s is of %s', (address, site) => expect(siteOf(address)).toBe(site));

  it('tells sites apart', () => {
    expect(siteOf('2001:db8:1::1')).not.toBe(siteOf('2001:db8:2::1'));
    expect(siteOf('203.0.113.7')).not.toBe(siteOf('203.0.114.7'));
  });
});

describe('domains', () => {
  it('that are refused cannot register, nor can their subdomains', async () => {
    await set({ emailDomainsRefused: ['Mailinator.example'] });
    for (const email of ['a@mailinator.example', 'a@x.mailinator.example']) {
      const { status, problem } = await register(email);
      expect([status, problem.code]).toEqual([403, 'email_domain_refused']);
      expect(problem.detail).toContain('cannot be registered here');
    }
    expect((await register('a@notmailinator.example')).status).toBe(202);
  });

  it('that are allowed are the only ones', async () => {
    await set({ emailDomainsAllowed: ['company.example'] });
    expect((await register('a@elsewhere.example')).status).toBe(403);
    expect((await register('a@dept.company.example')).status).toBe(202);
  });

  it('are refused in the settings unless they are domains', async () => {
    for (const domain of ['a@b.example', 'no_domain', '*.example.org', 'a b.example']) {
      expect((await set({ emailDomainsRefused: [domain] })).status, domain).toBe(400);
    }
  });
});

describe.each([
  ['turnstile', TURNSTILE_SECRET],
  ['hcaptcha', HCAPTCHA_SECRET],
] as const)('%s', (provider, secret) => {
  const keys = { captchaProvider: provider, captchaSiteKey: SITE_KEY, captchaSecret: secret };

  it('lets in who has passed it, once for a token', async () => {
    await set(keys);
    const captchaToken = captcha.issue();
    const from = newNetwork();
    const first = await register(`one@${provider}.example`, from, { captchaToken });
    expect(first.status).toBe(202);
    expect(captcha.asked.at(-1)?.get('remoteip')).toBe(from);
    expect(await balanceOf(`one@${provider}.example`)).toBe(5);
    const again = await register(`two@${provider}.example`, from, { captchaToken });
    expect(again.problem.code).toBe('captcha_failed');
  });

  it('refuses without a token, and with an invented one', async () => {
    await set(keys);
    for (const body of [{}, { captchaToken: 'invented' }]) {
      const { problem } = await register(`none@${provider}.example`, undefined, body);
      expect([problem.status, problem.code]).toEqual([400, 'captcha_failed']);
    }
  });

  it.each([500, 200, 'silent'] as const)(
    'opens accounts without credit while the vendor gives no verdict (%s)',
    async (how) => {
      await set(keys);
      captcha.fail(how);
      if (how === 'silent') verdictMs = SILENCE_MS;
      const email = `away-${String(how)}@${provider}.example`;
      const answered = await register(email, undefined, { captchaToken: captcha.issue() });
      expect(answered.status).toBe(202);
      expect(await balanceOf(email)).toBe(0);
    },
  );

  it('opens accounts without credit while the operator’s secret is wrong', async () => {
    await set({ ...keys, captchaSecret: 'wrong-secret' });
    const email = `secret@${provider}.example`;
    await register(email, undefined, { captchaToken: captcha.issue() });
    expect(await balanceOf(email)).toBe(0);
    expect(fixture.log.join('\n')).toContain('invalid-input-secret');
  });

  it('keeps its secret encrypted and to itself', async () => {
    const { reply } = await set(keys);
    expect(reply).toMatchObject({ captchaProvider: provider, captchaSecretSet: true });
    expect(JSON.stringify(reply)).not.toContain(secret);
    const open = await fixture.ask('getPublicSettings');
    expect(open.reply.captcha).toEqual({ provider, siteKey: SITE_KEY });
    expect(open.text + fixture.log.join('')).not.toContain(secret);
    const { rows } = await fixture.pool.query<{ sealed: string }>(
      'select sealed from captcha_secrets',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.sealed).not.toContain(secret);
  });

  it('is what the policy of the console lets load, and nothing else', async () => {
    const policy = async () => {
      const page = await fixture.app.inject({ url: '/register', headers: { accept: 'text/html' } });
      return String(page.headers['content-security-policy']);
    };
    expect(await policy()).not.toMatch(/cloudflare|hcaptcha/);
    await set(keys);
    const hosts = (await policy()).match(/https:\/\/[^\s;]+/g) ?? [];
    const vendor = provider === 'turnstile' ? 'challenges.cloudflare.com' : 'hcaptcha.com';
    expect(hosts.length).toBeGreaterThan(1);
    expect(hosts.every((host) => host.endsWith(vendor))).toBe(true);
  });
});

describe('the settings of a captcha', () => {
  it('are refused without its keys', async () => {
    await fixture.pool.query('delete from captcha_secrets');
    const body = { captchaProvider: 'turnstile', captchaSiteKey: SITE_KEY };
    expect((await set(body)).problem.errors?.[0]?.field).toBe('captchaSecret');
    const without = { ...body, captchaSiteKey: '', captchaSecret: TURNSTILE_SECRET };
    expect((await set(without)).problem.errors?.[0]?.field).toBe('captchaSiteKey');
  });
});
