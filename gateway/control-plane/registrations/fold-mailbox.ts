import { domainToASCII } from 'node:url';

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
