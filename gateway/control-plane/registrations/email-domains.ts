import { domainToASCII } from 'node:url';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Settings } from '../settings/read-settings.ts';

/** A domain as lists of them are kept and compared. */
export function asDomain(text: string): string {
  const written = text.trim().toLowerCase().replace(/\.$/, '');
  return domainToASCII(written) || written;
}

function isIn(domain: string, listed: readonly string[]): boolean {
  return listed.some((one) => domain === one || domain.endsWith(`.${one}`));
}

/**
 * Refuses an address of a domain that may not register. Everyone gets the same refusal, before any
 * address is looked up, so the refusal reveals nothing about who has an account.
 */
export function refuseDomain(
  settings: Pick<Settings, 'emailDomainsAllowed' | 'emailDomainsRefused'>,
  email: string,
): Refusal | undefined {
  const domain = asDomain(email.slice(email.lastIndexOf('@') + 1));
  const { emailDomainsAllowed: allowed, emailDomainsRefused: refused } = settings;
  const isAllowed = allowed.length === 0 || isIn(domain, allowed);
  if (isAllowed && !isIn(domain, refused)) return undefined;
  return refuse(
    'email_domain_refused',
    `Addresses at ${domain} cannot be registered here. Use another e-mail address, or ask the operator for an account.`,
    { param: 'email' },
  );
}
