import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { openMailer } from '../../../gateway/admin/mail/mailer.ts';
import { writeMail } from '../../../gateway/admin/mail/mails.ts';
import { layAdminGround, PASSWORD } from '../support/ground.ts';

let server: Server;
let port: number;
/** What was handed over, whole. */
const delivered: string[] = [];
/** So many deliveries are turned away before one is taken. */
let refusals = 0;

/** As much of SMTP (RFC 5321) as a client needs to hand a mail over. */
function speak(socket: Socket): void {
  let taking = false;
  let mail = '';
  socket.on('error', () => undefined);
  socket.write('220 mail.test\r\n');
  socket.setEncoding('utf8').on('data', (text: string) => {
    if (taking) {
      mail += text;
      if (!mail.endsWith('\r\n.\r\n')) return;
      taking = false;
      delivered.push(mail);
      mail = '';
      socket.write('250 taken\r\n');
      return;
    }
    const [verb = ''] = text.trim().split(/[ :]/);
    if (verb.toUpperCase() === 'MAIL' && refusals > 0) {
      refusals -= 1;
      socket.write('451 later\r\n');
    } else if (verb.toUpperCase() === 'DATA') {
      taking = true;
      socket.write('354 go on\r\n');
    } else if (verb.toUpperCase() === 'QUIT') socket.end('221 bye\r\n');
    else socket.write('250 fine\r\n');
  });
}

beforeAll(async () => {
  server = createServer(speak);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
});

const quiet = pino({ level: 'silent' });

function mailer() {
  const smtpUrl = `smtp://127.0.0.1:${String(port)}?ignoreTLS=true`;
  return openMailer({ smtpUrl, from: 'Weir <weir@example.org>', logger: quiet, tryAgainMs: 10 });
}

describe('mail', () => {
  it('brings the link by SMTP, and no log holds it', async () => {
    const ground = await layAdminGround({
      config: { smtpUrl: `smtp://127.0.0.1:${String(port)}?ignoreTLS=true` },
    });
    const admin = await ground.admin();
    await ground.ask('updateSettings', {
      as: admin,
      anyVersion: true,
      body: { emailVerificationRequired: true },
    });
    const email = 'by-mail@example.org';
    await ground.ask('register', { body: { email, password: PASSWORD, language: 'zh-CN' } });
    await ground.app.close();
    const mail = delivered.find((text) => text.includes(`To: ${email}`)) ?? '';
    expect(mail).toContain('From: Weir <weir@localhost>');
    const decoded = mail.replace(/=\r\n/g, '').replace(/=3D/g, '=');
    const body = Buffer.from(
      decoded.split('\r\n\r\n')[1]?.replace(/\s/g, '') ?? '',
      'base64',
    ).toString();
    const token = /#token=([\w-]{43})/.exec(`${decoded}${body}`)?.[1];
    expect(token).toBeDefined();
    expect(ground.log.join('')).not.toContain(token);
    await ground.pool.end();
  });

  it('is tried again when the server asks for it', async () => {
    refusals = 2;
    const before = delivered.length;
    const sender = mailer();
    const link = 'http://console.test/reset-password#token=x';
    sender.send(
      writeMail('reset', { to: 'a@example.org', siteName: 'Weir', language: 'en', link }),
    );
    await expect.poll(() => delivered.length).toBe(before + 1);
    await sender.close();
  });

  it('gives up after three times, and does not fail whoever asked', async () => {
    refusals = 3;
    const before = delivered.length;
    const sender = mailer();
    const mail = { to: 'a@example.org', siteName: 'Weir', language: 'en' as const, link: 'x' };
    sender.send(writeMail('reset', mail));
    await expect.poll(() => refusals).toBe(0);
    await sender.close();
    expect(delivered.length).toBe(before);
  });

  it('takes no header from a name', () => {
    const siteName = 'Weir\r\nBcc: everyone@example.org';
    const mail = writeMail('verify', { to: 'a@example.org', siteName, language: null, link: 'x' });
    expect(mail.subject).not.toMatch(/[\r\n]/);
  });

  it('speaks both languages in every kind', () => {
    for (const kind of ['verify', 'known', 'reset', 'welcome', 'renewal_failed'] as const) {
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
