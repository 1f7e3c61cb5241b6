import { isRecord } from '@weir/shared/prices/price-lists/json-record';
import type { Claims } from '../people/claims.ts';
import type { ProviderClient } from './provider-clients.ts';
import type { ProviderRow } from './provider-row.ts';

const API = 'https://api.github.com';
const GITHUB = 'https://github.com';
/** Organisations that are read: one page. */
const PAGE = 100;

/** A server of one's own has its API below its own address (docs.github.com/enterprise-server). */
function apiOf(issuer: string): string {
  return issuer === GITHUB ? API : `${issuer}/api/v3`;
}

/**
 * Reads a person from GitHub, in the form of claims: `sub` is the numeric id, because names are
 * given to others after a rename; `email` is the primary address; `orgs` are organisations.
 * Source: docs.github.com/en/rest/users
 */
export async function readGitHubClaims(
  { fetch }: ProviderClient,
  { issuer, rules }: ProviderRow,
  accessToken: string,
): Promise<Claims & { readonly sub: string }> {
  const read = async (path: string): Promise<unknown> => {
    const reply = await fetch(`${apiOf(issuer)}${path}`, {
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
    });
    if (!reply.ok) throw new Error(`GitHub: HTTP ${String(reply.status)} at ${path}`);
    return reply.json();
  };
  const user = await read('/user');
  if (!isRecord(user) || typeof user['id'] !== 'number') throw new Error('GitHub: no user');
  const emails = await read('/user/emails');
  const primary = (Array.isArray(emails) ? emails : [])
    .filter(isRecord)
    .find((email) => email['primary'] === true);
  const needsOrgs = rules.some(({ claim }) => claim === 'orgs');
  const orgs = needsOrgs ? await read(`/user/orgs?per_page=${String(PAGE)}`) : [];
  return {
    sub: String(user['id']),
    login: user['login'],
    email: primary?.['email'],
    email_verified: primary?.['verified'],
    orgs: (Array.isArray(orgs) ? orgs : []).filter(isRecord).map((org) => org['login']),
  };
}
