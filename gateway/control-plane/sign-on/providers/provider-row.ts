import type {
  SignOnChoice,
  SignOnDomain,
  SignOnProviderView,
  SignUp,
} from '@weir/shared/people/sign-on';
import type { SignOnPreset } from '@weir/shared/people/sign-on-presets';
import type { Database } from '../../api/transaction.ts';
import type { AdminContext } from '../../api/context.ts';

export type RuleRow = SignOnProviderView['rules'][number];

export interface ProviderRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly preset: SignOnPreset;
  readonly issuer: string;
  readonly clientId: string;
  readonly sealed: string | null;
  readonly scopes: string;
  readonly signUp: SignUp;
  readonly trustsSecondFactor: boolean;
  readonly shownOnLogIn: boolean;
  readonly allowPrivate: boolean;
  readonly status: 'active' | 'disabled';
  readonly domains: readonly SignOnDomain[];
  /** Rules in their order, without those of accounts that were deleted. */
  readonly rules: readonly RuleRow[];
  readonly identitiesCount: number;
  readonly hasDirectory: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const SELECT = `
  select p.id, p.slug, p.name, p.preset, p.issuer, p.client_id as "clientId", p.sealed, p.scopes, p.sign_up as "signUp",
    p.trusts_second_factor as "trustsSecondFactor", p.shown_on_log_in as "shownOnLogIn", p.allow_private as "allowPrivate",
    p.status, p.created_at as "createdAt", p.updated_at as "updatedAt",
    (select count(*)::integer from identities i where i.provider_id = p.id) as "identitiesCount",
    exists (select from directories s where s.provider_id = p.id) as "hasDirectory",
    coalesce((select jsonb_agg(jsonb_build_object('domain', d.domain, 'onlySignOn', d.only_sign_on) order by d.domain)
      from sign_on_domains d where d.provider_id = p.id), '[]') as domains,
    coalesce((select jsonb_agg(jsonb_build_object('claim', r.claim, 'value', r.value, 'accountId', r.account_id,
        'role', r.role, 'teamId', r.team_id::text, 'accountName', a.name, 'teamName', t.name) order by r.position)
      from sign_on_rules r join accounts a on a.id = r.account_id left join teams t on t.id = r.team_id
      where r.provider_id = p.id and a.deleted_at is null), '[]') as rules
  from sign_on_providers p`;

export async function readProviders(db: Database): Promise<ProviderRow[]> {
  return (await db.query<ProviderRow>(`${SELECT} order by lower(p.name), p.id`)).rows;
}

export async function findProvider(
  db: Database,
  providerId: string,
): Promise<ProviderRow | undefined> {
  return (await db.query<ProviderRow>(`${SELECT} where p.id = $1`, [providerId])).rows[0];
}

/** The provider of a callback address, if people may log in by it. */
export async function findActiveProvider(
  db: Database,
  slug: string,
): Promise<ProviderRow | undefined> {
  const where = `where p.slug = $1 and p.status = 'active'`;
  return (await db.query<ProviderRow>(`${SELECT} ${where}`, [slug])).rows[0];
}

export function callbackUrl(
  { consoleUrl }: Pick<AdminContext, 'consoleUrl'>,
  slug: string,
): string {
  return `${consoleUrl}/sign-on/${slug}/callback`;
}

export function choiceOf({ slug, name, preset }: SignOnChoice): SignOnChoice {
  return { slug, name, preset };
}

export function providerView(context: AdminContext, row: ProviderRow): SignOnProviderView {
  const { sealed, createdAt, updatedAt, domains, rules, ...shown } = row;
  return {
    ...shown,
    domains: [...domains],
    rules: [...rules],
    clientSecretSet: sealed !== null,
    callbackUrl: callbackUrl(context, row.slug),
    logoutUrl: `${context.consoleUrl}/api/v1/sign-on-providers/${row.slug}/logout-tokens`,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
