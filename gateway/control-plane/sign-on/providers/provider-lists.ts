import type { SignOnDomain, SignOnRule } from '@weir/shared/people/sign-on';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import type { Identity } from '../../api/call.ts';
import type { Database } from '../../api/transaction.ts';
import { asDomain } from '../../registrations/email-domains.ts';
import { refuseTeam } from '../../teams/team-row.ts';
import { domainOf } from '../only-sign-on.ts';

const FORGET_DOMAINS = 'delete from sign_on_domains where provider_id = $1';
const INSERT_DOMAINS = `
  insert into sign_on_domains (provider_id, domain, only_sign_on)
  select $1, domain, is_only from unnest($2::text[], $3::boolean[]) as listed (domain, is_only)`;

const FORGET_RULES = 'delete from sign_on_rules where provider_id = $1';
const INSERT_RULE = `
  insert into sign_on_rules (provider_id, position, claim, value, account_id, role, team_id)
  values ($1, $2, $3, $4, $5, $6, $7::bigint)`;
/** Rules are for people of a directory at once, not only at their next sign-on. */
const MARK_PEOPLE = 'update directory_users set stale = true where provider_id = $1';
const IS_ACCOUNT = 'select 1 from accounts where id = $1 and deleted_at is null';

const LOCKS_OUT = `
  select d.domain from sign_on_domains d join sign_on_providers p on p.id = d.provider_id
  where d.provider_id = $1 and d.domain = $2 and d.only_sign_on and p.status = 'active'
    and not exists (select from users where id = $3 and sign_on_exempt)
    and not exists (select from identities i where i.user_id = $3 and i.provider_id = $1)`;

/**
 * Replaces the domains of a provider. Throws a unique violation when another one has one of them.
 */
export async function writeDomains(
  db: Database,
  providerId: string,
  domains: readonly SignOnDomain[],
): Promise<Refusal | undefined> {
  const listed = new Map(
    domains.map(({ domain, onlySignOn }) => [asDomain(domain), onlySignOn] as const),
  );
  await db.query(FORGET_DOMAINS, [providerId]);
  await db.query(INSERT_DOMAINS, [providerId, [...listed.keys()], [...listed.values()]]);
  return undefined;
}

/** Replaces the rules of a provider. Refuses an account or a team that does not exist. */
export async function writeRules(
  db: Database,
  providerId: string,
  rules: readonly SignOnRule[],
): Promise<Refusal | undefined> {
  await db.query(FORGET_RULES, [providerId]);
  for (const [position, rule] of rules.entries()) {
    const { claim, value, accountId, role, teamId } = rule;
    const param = `rules.${String(position)}`;
    if ((await db.query(IS_ACCOUNT, [accountId])).rowCount === 0) {
      return refuse('invalid_value', 'There is no such account.', { param: `${param}.accountId` });
    }
    const refused = await refuseTeam(db, { accountId, teamId });
    if (refused !== undefined) return { ...refused, param: `${param}.teamId` };
    await db.query(INSERT_RULE, [
      providerId,
      position,
      claim.trim(),
      value.trim(),
      accountId,
      role,
      teamId ?? null,
    ]);
  }
  await db.query(MARK_PEOPLE, [providerId]);
  return undefined;
}

/**
 * Refuses "only sign-on" for the domain of the operator who sets it, before their own login is
 * linked: they would not get in again.
 */
export async function refuseOwnLockOut(
  db: Database,
  { userId, email }: Identity,
  providerId: string,
): Promise<Refusal | undefined> {
  const { rowCount } = await db.query(LOCKS_OUT, [providerId, domainOf(email), userId]);
  if (rowCount === 0) return undefined;
  return refuse(
    'state_conflict',
    `Your own address is at ${domainOf(email)}, and your login is not linked to this provider: you could not log in again. Link it under Account, Security first.`,
    { param: 'domains' },
  );
}
