import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pino from 'pino';
import { openMailer } from '../../../../gateway/control-plane/mail/mailer.ts';
import { writeMail } from '../../../../gateway/control-plane/mail/mails.ts';
import { HANG_MS } from '../../../support/clocks/hang.ts';
import { startFakeSmtp, type FakeSmtp } from '../support/fakes/fake-smtp.ts';
import { createAdminFixture, PASSWORD } from '../support/fixture.ts';

let smtp: FakeSmtp;

beforeAll(async () => {
  smtp = await startFakeSmtp();
});
afterAll(() => {
  smtp.close();
});

const quiet = pino({ level: 'silent' });

function mailer(options: { readonly underWayMax?: number } = {}) {
  return openMailer({
    smtpUrl: smtp.url,
    from: 'Weir <weir@example.org>',
    logger: quiet,
    tryAgainMs: 10,
    ...options,
  });
}

describe('mail', () => {
  it('brings the link by SMTP, and no log holds it', async () => {
    const fixture = await createAdminFixture({
      config: { smtpUrl: smtp.url },
    });
    const admin = await fixture.admin();
    await fixture.ask('updateSettings', {
      as: admin,
      anyVersion: true,
      body: { emailVerificationRequired: true },
    });
    const email = 'by-mail@example.org';
    await fixture.ask('register', { body: { email, password: PASSWORD, language: 'zh-CN' } });
    const token = await smtp.takeToken(email);
    expect(smtp.delivered.at(-1)).toContain('From: Weir <weir@localhost>');
    expect(fixture.log.join('')).not.toContain(token);
    await fixture.close();
  });

  it('is tried again when the server asks for it', async () => {
    smtp.refusals = 2;
    const before = smtp.delivered.length;
    const sender = await mailer();
    const link = 'http://console.test/reset-password#token=x';
    sender.send(
      writeMail('reset', { to: 'a@example.org', siteName: 'Weir', language: 'en', link }),
    );
    await expect.poll(() => smtp.delivered.length).toBe(before + 1);
    await sender.close();
  });

  it('gives up after three times, and does not fail the caller', async () => {
    smtp.refusals = 3;
    const before = smtp.delivered.length;
    const sender = await mailer();
    const mail = { to: 'a@example.org', siteName: 'Weir', language: 'en' as const, link: 'x' };
    sender.send(writeMail('reset', mail));
    await expect.poll(() => smtp.refusals).toBe(0);
    await sender.close();
    expect(smtp.delivered.length).toBe(before);
  });

  it('in turn waits for a place and no longer than it may', async () => {
    const before = smtp.delivered.length;
    const sender = await mailer({ underWayMax: 2 });
    const send = (untilMs: number) =>
      sender.sendInTurn(
        { to: 'a@example.org', subject: 'one of many', text: '', link: null },
        untilMs,
      );
    for (let sent = 0; sent < 6; sent += 1) await send(performance.now() + HANG_MS);
    await expect.poll(() => smtp.delivered.length).toBe(before + 6);
    // Two that have to be tried again keep both places while the third looks for one.
    smtp.refusals = 2;
    for (let sent = 0; sent < 3; sent += 1) await send(performance.now());
    await expect.poll(() => smtp.delivered.length).toBe(before + 8);
    await sender.close();
    expect(smtp.delivered.length).toBe(before + 8);
  });

  it('takes no header from a name', () => {
    const siteName = 'Weir\r\nBcc: everyone@example.org';
    const mail = writeMail('verify', { to: 'a@example.org', siteName, language: null, link: 'x' });
    expect(mail.subject).not.toMatch(/[\r\n]/);
  });

  it('speaks both languages in every kind', () => {
    const kinds = [
      'verify',
      'choose',
      'known',
      'reset',
      'welcome',
      'renewal_unpaid',
      'renewal_suspended',
      'renewal_withdrawn',
    ] as const;
    for (const kind of kinds) {
      const options = { to: 'a@example.org', siteName: 'Weir', link: 'the-link' };
      const [en, zh] = (['en', 'zh-CN'] as const).map((language) =>
        writeMail(kind, { ...options, language }),
      );
      expect(en?.text).toContain('the-link');
      expect(zh?.text).toContain('the-link');
      expect(zh?.subject).toMatch(/[\u4e00-\u9fff]/);
      expect(en?.subject).not.toBe(zh?.subject);
    }
  });
});
