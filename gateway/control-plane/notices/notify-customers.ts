import type { AdminContext } from '../api/context.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { insertDeliveries, type NewDelivery } from '../deliveries/delivery-row.ts';
import type { MailLanguage } from '../mail/mails.ts';
import { IS_BILLING_MEMBER } from '../members/billing-members.ts';
import { readSettings } from '../settings/read-settings.ts';
import {
  findEndingPlans,
  findKeyBudgets,
  findLowBalances,
  findSharedBudgets,
  type Notice,
} from './find-notices.ts';
import { writeNotice } from './notice-mails.ts';

/** An address that must be confirmed and is not may belong to someone else. */
const READERS = `
  select m.account_id as "accountId", u.email, u.language from members m join users u on u.id = m.user_id
  where m.account_id = any ($1) and ${IS_BILLING_MEMBER}
    and (u.email_verified_at is not null or not u.must_verify_email)
  order by u.id`;

interface Reader {
  readonly accountId: string;
  readonly email: string;
  readonly language: MailLanguage | null;
}

async function mailsFor(
  db: Database,
  { consoleUrl }: AdminContext,
  notices: readonly Notice[],
): Promise<NewDelivery[]> {
  const ids = [...new Set(notices.map(({ accountId }) => accountId))];
  const readers = (await db.query<Reader>(READERS, [ids])).rows;
  const { siteName } = await readSettings(db);
  return notices.flatMap(({ accountId, news }) =>
    readers
      .filter((reader) => reader.accountId === accountId)
      .map(({ email, language }) => {
        const mail = writeNotice(news, { to: email, siteName, language, consoleUrl });
        return {
          eventId: null,
          targetId: null,
          accountId,
          via: 'mail',
          address: email,
          subject: mail.subject,
          body: mail.text,
        };
      }),
  );
}

/**
 * Finds what customers are to be notified of. That it was found and the mail about it are written
 * together.
 */
export async function notifyCustomers(context: AdminContext): Promise<void> {
  // Without mail nothing is marked as reported: once there is mail, customers learn what is true
  // then.
  if (!context.mailer.configured) return;
  for (const find of [findLowBalances, findKeyBudgets, findSharedBudgets, findEndingPlans]) {
    await inTransaction(context.pool, async (client) => {
      const notices = await find(client);
      if (notices.length === 0) return undefined;
      await insertDeliveries(client, await mailsFor(client, context, notices));
      return undefined;
    });
  }
}
