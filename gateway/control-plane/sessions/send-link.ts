import type { AdminContext } from '../api/context.ts';
import { writeMail } from '../mail/mails.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { UserRow } from '../users/user-row.ts';

/** Mails a link to its user, in their language. */
export function sendLink(
  context: AdminContext,
  settings: Settings,
  options: {
    readonly kind: 'verify' | 'choose' | 'known' | 'reset' | 'keys_disabled';
    readonly user: Pick<UserRow, 'email' | 'language'>;
    readonly link: string;
  },
): void {
  const { email: to, language } = options.user;
  const { siteName } = settings;
  context.mailer.send(writeMail(options.kind, { to, siteName, language, link: options.link }));
}
