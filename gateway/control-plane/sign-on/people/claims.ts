import { isRecord } from '@weir/shared/prices/price-lists/json-record';
import type { RuleRole } from '@weir/shared/people/sign-on';
import type { RuleRow } from '../providers/provider-row.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** Matches any value of a claim. */
const ANY = '*';

/** Finds a claim by its name, which may contain dots, or by a path of names. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (!isRecord(found) || !Object.hasOwn(found, part)) return undefined;
    found = found[part];
  }
  return found;
}

/** A list as Cognito and Dex write it into a text: `[a, b]` or `["a","b"]`. */
const BRACKETED = /^\s*\[(.*)\]\s*$/s;

/**
 * Some providers send a list as one text with spaces or commas, so such a text is its whole and
 * each of its parts.
 */
function partsOf(text: string): readonly string[] {
  const list = BRACKETED.exec(text)?.[1] ?? text;
  if (list.trim() === '') return [];
  return [text, ...list.split(','), ...list.split(/[\s,]+/)].map((part) =>
    part.trim().replace(/^"(.*)"$/, '$1'),
  );
}

/** The values of a claim. Of an object they are its names: Zitadel sends roles so. */
function valuesOf(claims: Claims, name: string): readonly string[] {
  const claim = claimOf(claims, name);
  if (Array.isArray(claim)) return claim.map(String);
  if (isRecord(claim)) return Object.keys(claim);
  if (typeof claim === 'string') return partsOf(claim);
  return typeof claim === 'number' || typeof claim === 'boolean' ? [String(claim)] : [];
}

function matches(claims: Claims, { claim, value }: Pick<RuleRow, 'claim' | 'value'>): boolean {
  const values = valuesOf(claims, claim);
  return value === ANY ? values.some((one) => one !== '') : values.includes(value);
}

export interface Mapped {
  readonly accountId: string;
  readonly role: RuleRole;
  readonly teamId: string | null;
}

/** The memberships that the claims lead to: for each account, by its first rule that matches. */
export function mappedBy(rules: readonly RuleRow[], claims: Claims): Mapped[] {
  const mapped = new Map<string, Mapped>();
  for (const rule of rules) {
    const { accountId, role, teamId } = rule;
    if (!mapped.has(accountId) && matches(claims, rule)) {
      mapped.set(accountId, { accountId, role, teamId });
    }
  }
  return [...mapped.values()];
}

/**
 * Returns the claim that a rule needs and the provider has left out because it is too long. Entra
 * sends a reference in place of more than 200 groups.
 * Source: learn.microsoft.com/entra/identity-platform/id-token-claims-reference, "Groups overage".
 */
export function leftOut(rules: readonly RuleRow[], claims: Claims): string | undefined {
  const names = claims['_claim_names'];
  const isMissing = (claim: string) =>
    !Object.hasOwn(claims, claim) &&
    ((isRecord(names) && Object.hasOwn(names, claim)) ||
      (claim === 'groups' && claims['hasgroups'] !== undefined));
  return rules.find(({ claim }) => isMissing(claim))?.claim;
}
