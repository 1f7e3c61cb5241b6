import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Database } from '../api/transaction.ts';
import { asDomain } from '../registrations/email-domains.ts';
import type { ProviderRow } from './providers/provider-row.ts';

/** The domain of an address, as domains of providers are stored. */
export function domainOf(email: string): string {
  return asDomain(email.slice(email.lastIndexOf('@') + 1));
}

/** True when the operator has declared the provider the authority for the address's domain. */
export function isTrustedFor({ domains }: Pick<ProviderRow, 'domains'>, email: string): boolean {
  const domain = domainOf(email);
  return domains.some((listed) => listed.domain === domain);
}

/** A domain whose provider is disabled is like any other: people could not log in at all. */
const FIND = `
  select p.slug, p.name, p.preset, d.only_sign_on as "onlySignOn"
  from sign_on_domains d join sign_on_providers p on p.id = d.provider_id
  where d.domain = $1 and p.status = 'active'`;

interface DomainSignOn {
  readonly slug: string;
  readonly name: string;
  readonly preset: ProviderRow['preset'];
  readonly onlySignOn: boolean;
}

/** The provider by which people of the address's domain sign on. */
export async function findDomainSignOn(
  db: Database,
  email: string,
): Promise<DomainSignOn | undefined> {
  return (await db.query<DomainSignOn>(FIND, [domainOf(email)])).rows[0];
}

const IS_EXEMPT = 'select 1 from users where email = $1 and sign_on_exempt';

/**
 * Refuses passwords of people whose domain is for sign-on only. The refusal is the same for every
 * address of the domain, so that it reveals nothing about one.
 */
export async function refusePassword(db: Database, email: string): Promise<Refusal | undefined> {
  const found = await findDomainSignOn(db, email);
  if (found?.onlySignOn !== true) return undefined;
  return refuse(
    'sign_on_required',
    `People of ${domainOf(email)} sign on by ${found.name}, without a password here. Choose it on the log-in page.`,
    { param: 'email' },
  );
}

/** The operator's way back in: `npm run allow-password` lets one person log in with a password. */
export async function isExempt(db: Database, email: string): Promise<boolean> {
  return (await db.query(IS_EXEMPT, [email])).rowCount !== 0;
}
