import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailAccounting } from '../../../../gateway/control-plane/accounting/mail-accounting.ts';
import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import { until } from '../../../support/clocks/hang.ts';
import { jobContext } from '../support/context.ts';
import { startFakeSmtp, type FakeSmtp } from '../support/fakes/fake-smtp.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';

const MAIL_PROCESS = fileURLToPath(new URL('mail-process.ts', import.meta.url));

let fixture: AdminFixture;
let smtp: FakeSmtp;
let context: AdminContext;
let admin: Person;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  smtp = await startFakeSmtp();
  context = await jobContext(fixture, { smtp });
});
afterAll(async () => {
  await context.mailer.close();
  smtp.close();
  await fixture.close();
});
beforeEach(async () => {
  await fixture.pool.query('truncate accounting_mails');
  await switchOn(['books@example.org']);
  smtp.delivered.length = 0;
  smtp.refusals = 0;
  smtp.afterMail = 'confirm';
});

/** Mails are on since the middle of the month before, in a zone whose day begins early. */
async function switchOn(mailAddresses: string[]): Promise<void> {
  const body = { timeZone: 'Asia/Shanghai', mailsEnabled: true, mailAddresses };
  await fixture.ask('updateAccountingSettings', { as: admin, anyVersion: true, body });
  await fixture.pool.query(
    `update accounting_settings set mails_since = date_trunc('month', now() at time zone time_zone) at time zone time_zone - interval '10 days'`,
  );
}

/** Between the end of a month and its mail are some hours: as if they had passed. */
async function monthEnded(): Promise<void> {
  await fixture.pool.query(
    `update accounting_settings set mails_since = mails_since - interval '1 month'`,
  );
}

async function mails() {
  return (await fixture.ask('listAccountingMails', { as: admin })).reply.data;
}

const due = () => fixture.pool.query(`update accounting_mails set due_at = now()`);

describe('the files of a month', () => {
  it('are mailed once to each address, however often the job runs', async () => {
    await switchOn(['books@example.org', 'tax@example.org']);
    await monthEnded();
    for (let run = 0; run < 3; run += 1) await mailAccounting(context);
    const sent = await mails();
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(['sent']));
    expect(smtp.delivered).toHaveLength(sent.length);
    const months = new Set(sent.map(({ month }) => month));
    expect(sent).toHaveLength(2 * months.size);
    const [mail = ''] = smtp.delivered;
    for (const name of ['customers', 'orders', 'credits']) {
      expect(mail).toMatch(new RegExp(`filename=weir-${name}-\\d{4}-\\d{2}\\.csv`));
    }
    expect(mail).toContain('time zone Asia/Shanghai');
  });

  it('are tried again when the server refuses them, and the job fails until they arrive', async () => {
    await monthEnded();
    smtp.refusals = 100;
    await expect(mailAccounting(context)).rejects.toThrow(/were not mailed to everyone .*451/);
    // What waits for its next attempt is not tried by the next run.
    await expect(mailAccounting(context)).rejects.toThrow('were not mailed');
    const [failed] = await mails();
    expect(failed).toMatchObject({ status: 'waiting', attempts: 1 });
    smtp.refusals = 0;
    await due();
    await mailAccounting(context);
    expect((await mails())[0]).toMatchObject({ status: 'sent', attempts: 2, error: null });
  });

  it('are given up after twelve attempts, and sent when a person asks for it', async () => {
    await monthEnded();
    smtp.refusals = 1_000;
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await expect(mailAccounting(context)).rejects.toThrow();
      await due();
    }
    const [failed] = await mails();
    expect(failed).toMatchObject({ status: 'failed', attempts: 12 });
    smtp.refusals = 0;
    for (const { id } of await mails()) {
      const params = { accountingMailId: id };
      await fixture.ask('repeatAccountingMail', { as: admin, params });
    }
    await mailAccounting(context);
    const params = { accountingMailId: failed?.id ?? '' };
    const again = await fixture.ask('repeatAccountingMail', { as: admin, params });
    expect(again.problem.code).toBe('state_conflict');
  });

  it('that were being sent when the process was killed are never sent again by themselves', async () => {
    await monthEnded();
    smtp.afterMail = 'say nothing';
    const mailing = spawn(process.execPath, [MAIL_PROCESS, fixture.databaseUrl, smtp.url], {
      stdio: 'ignore',
    });
    const ended = once(mailing, 'exit');
    await until('the mail to leave', () => smtp.delivered.length > 0);
    mailing.kill('SIGKILL');
    await ended;
    smtp.afterMail = 'confirm';
    const [claimed] = (await mails()).filter(({ status }) => status === 'sending');
    expect(claimed).toBeDefined();
    await mailAccounting(context).catch(() => undefined);
    const before = smtp.delivered.length;
    await fixture.pool.query(
      `update accounting_mails set claimed_at = now() - interval '16 minutes' where status = 'sending'`,
    );
    for (let run = 0; run < 3; run += 1) {
      await expect(mailAccounting(context)).rejects.toThrow('unknown');
    }
    expect(smtp.delivered).toHaveLength(before);
    const found = (await mails()).find(({ id }) => id === claimed?.id);
    expect(found).toMatchObject({ status: 'unknown', attempts: 1 });
  });

  it('whose connection broke after the mail had left are not sent again by themselves', async () => {
    await monthEnded();
    smtp.afterMail = 'hang up';
    await expect(mailAccounting(context)).rejects.toThrow('unknown');
    smtp.afterMail = 'confirm';
    expect(smtp.delivered).not.toEqual([]);
    const before = smtp.delivered.length;
    await due();
    await expect(mailAccounting(context)).rejects.toThrow('unknown');
    expect(smtp.delivered).toHaveLength(before);
  });

  it('are not mailed for months that ended before mails were switched on', async () => {
    const body = { mailsEnabled: false };
    await fixture.ask('updateAccountingSettings', { as: admin, anyVersion: true, body });
    const on = { mailsEnabled: true };
    await fixture.ask('updateAccountingSettings', { as: admin, anyVersion: true, body: on });
    await mailAccounting(context);
    expect(await mails()).toEqual([]);
  });
});

it('switching mails on needs an address', async () => {
  const body = { mailsEnabled: true, mailAddresses: [] };
  const refused = await fixture.ask('updateAccountingSettings', {
    as: admin,
    anyVersion: true,
    body,
  });
  expect(refused.problem).toMatchObject({
    code: 'invalid_value',
    errors: [{ field: 'mailAddresses' }],
  });
});
