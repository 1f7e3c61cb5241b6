import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { siteOf } from '../../platform/network/address.ts';
import type { AdminContext } from '../api/context.ts';
import { onlyRow, type Database } from '../api/transaction.ts';
import { addCredit } from '../credits/add-credit.ts';
import type { Settings } from '../settings/read-settings.ts';

/** Registrations of one network at once wait for each other, so that none is counted too late. */
const LOCK_NETWORK = `select pg_advisory_xact_lock(hashtextextended('registration_credit', 0))`;

const USER = `
  select account_id as "accountId", email, registered_from as "registeredFrom",
    registration_credit_withheld as "isWithheld"
  from users where id = $1`;

const COUNT = `
  select count(*) filter (where mailbox = any ($1))::integer as "ofMailbox",
    count(*) filter (where network = $2 and at > now() - interval '24 hours')::integer as "ofNetwork"
  from registration_credits where mailbox = any ($1) or network = $2`;

const NOTE = 'insert into registration_credits (mailbox, network) values ($1, $2)';

interface Registrant {
  readonly accountId: string;
  readonly email: string;
  readonly registeredFrom: Buffer | null;
  readonly isWithheld: boolean;
}

function digest(key: Buffer, kind: 'mailbox' | 'network', text: string): Buffer {
  return createHmac('sha256', key).update(`registration ${kind}:${text}`).digest();
}

/** The network of an address, as it is kept with the user who registered from there. */
export function networkDigest({ secrets }: AdminContext, address: string): Buffer {
  return digest(secrets.digestKeys[0], 'network', siteOf(address));
}

/**
 * Gives the credit for registering: once per mailbox, and so often per network and day as the
 * settings say. Beyond that the account is opened without: an office or a dormitory shares a
 * network, and the operator can give credit by hand. Says so in the log.
 */
export async function giveRegistrationCredit(
  db: Database,
  context: AdminContext,
  { settings, userId }: { readonly settings: Settings; readonly userId: string },
): Promise<void> {
  const amountNanoUsd = settings.registrationCreditNanoUsd;
  if (amountNanoUsd === 0) return;
  const user = onlyRow((await db.query<Registrant>(USER, [userId])).rows);
  const withheld = user.isWithheld ? 'captcha' : await findReason(db, context, { settings, user });
  if (withheld !== undefined) {
    context.logger.info({ userId, reason: withheld }, 'no registration credit');
    return;
  }
  const { accountId } = user;
  await addCredit(db, {
    entryId: `registration:${accountId}`,
    accountId,
    amountNanoUsd,
    kind: 'adjustment',
    reason: 'Registration credit',
    actor: 'system',
  });
}

/** Google delivers to one mailbox whatever dots the name has, under both domains. */
const GMAIL = 'gmail.com';
const GMAIL_DOMAINS = new Set([GMAIL, 'googlemail.com']);

/**
 * One text for all addresses that reach the same mailbox: without case, without what is behind a
 * `+`, with the domain in ASCII, and for Google without dots. Only for comparisons: mail goes to
 * the address as it was written, because not every server reads a `+` so.
 */
export function foldMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).normalize('NFKC').toLowerCase();
  const written = email.slice(at + 1).toLowerCase();
  const domain = (domainToASCII(written) || written).replace(/\.$/, '');
  const plus = local.indexOf('+');
  const name = plus > 0 ? local.slice(0, plus) : local;
  if (!GMAIL_DOMAINS.has(domain)) return `${name}@${domain}`;
  return `${name.replaceAll('.', '')}@${GMAIL}`;
}

/** Notes the mailbox and the network; why there is no credit if they have had it. */
async function findReason(
  db: Database,
  { secrets }: AdminContext,
  { settings, user }: { readonly settings: Settings; readonly user: Registrant },
): Promise<'mailbox' | 'network' | undefined> {
  const folded = foldMailbox(user.email);
  // Under the former SECRET_KEY as well: a change of it must not open the list.
  const [current, ...former] = secrets.digestKeys.map((key) => digest(key, 'mailbox', folded));
  await db.query(LOCK_NETWORK);
  const { rows } = await db.query<{ ofMailbox: number; ofNetwork: number }>(COUNT, [
    [current, ...former],
    user.registeredFrom,
  ]);
  const { ofMailbox, ofNetwork } = onlyRow(rows);
  if (ofMailbox > 0) return 'mailbox';
  if (ofNetwork >= settings.registrationCreditsPerNetwork) return 'network';
  await db.query(NOTE, [current, user.registeredFrom]);
  return undefined;
}
