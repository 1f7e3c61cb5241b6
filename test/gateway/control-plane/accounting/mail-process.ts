/** Mails what is due, to be killed meanwhile. Arguments: DATABASE_URL, SMTP_URL. */
import pino from 'pino';
import { mailAccounting } from '../../../../gateway/control-plane/accounting/mail-accounting.ts';
import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import { openMailer } from '../../../../gateway/control-plane/mail/mailer.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';

const [, , databaseUrl = '', smtpUrl = ''] = process.argv;
const logger = pino({ level: 'silent' });
const context = {
  pool: openPool(databaseUrl, { connectionsMax: 2, applicationName: 'test' }),
  mailer: await openMailer({ smtpUrl, from: 'Weir <weir@example.org>', logger }),
  consoleUrl: 'http://console.test',
  logger,
} as Partial<AdminContext> as AdminContext;
await mailAccounting(context);
