import type { CaptchaProvider } from '@weir/shared/people/settings';
import type { RegistrationMode } from '@weir/shared/people/registrations';
import { onlyRow, type Database } from '../api/transaction.ts';

/** The one row of settings. */
export interface Settings {
  readonly siteName: string;
  readonly registrationMode: RegistrationMode;
  readonly emailVerificationRequired: boolean;
  readonly registrationCreditNanoUsd: number;
  readonly registrationCreditsPerNetwork: number;
  readonly emailDomainsAllowed: readonly string[];
  readonly emailDomainsRefused: readonly string[];
  readonly captchaProvider: CaptchaProvider;
  readonly captchaSiteKey: string;
  readonly captchaSecretSealed: string | null;
  readonly topUpMinNanoUsd: number;
  readonly topUpMaxNanoUsd: number;
  readonly topUpPresetsNanoUsd: readonly number[];
  readonly announcement: string;
  readonly supportUrl: string;
  readonly welcome: string;
  readonly terms: string;
  readonly privacy: string;
  readonly creditHelp: string;
  readonly logo: string;
  readonly brandColor: string;
  readonly defaultModel: string;
  /** Visitors are not shown it. */
  readonly hidesDefaultModel: boolean;
  readonly usageRetentionMonths: number;
  readonly requestLogDays: number;
  readonly updatedAt: Date;
}

/** The model that forms begin with is in groups, and none of them is for every customer. */
const HIDES_DEFAULT_MODEL = `(
    select coalesce(bool_and(g.access <> 'public'), false)
    from models m join group_models gm on gm.model_id = m.id join groups g on g.id = gm.group_id
    where m.public_id = default_model)`;

const SELECT = `
  select site_name as "siteName", registration_mode as "registrationMode",
    email_verification_required as "emailVerificationRequired",
    registration_credit_nano_usd as "registrationCreditNanoUsd", top_up_min_nano_usd as "topUpMinNanoUsd",
    top_up_max_nano_usd as "topUpMaxNanoUsd", to_jsonb(top_up_presets_nano_usd) as "topUpPresetsNanoUsd",
    registration_credits_per_network as "registrationCreditsPerNetwork",
    to_jsonb(email_domains_allowed) as "emailDomainsAllowed", to_jsonb(email_domains_refused) as "emailDomainsRefused",
    captcha_provider as "captchaProvider", captcha_site_key as "captchaSiteKey",
    (select sealed from captcha_secrets) as "captchaSecretSealed",
    announcement, welcome, terms, privacy, credit_help as "creditHelp", logo, brand_color as "brandColor",
    default_model as "defaultModel", ${HIDES_DEFAULT_MODEL} as "hidesDefaultModel", support_url as "supportUrl", usage_retention_months as "usageRetentionMonths",
    request_log_days as "requestLogDays", updated_at as "updatedAt"
  from settings`;

export async function readSettings(db: Database): Promise<Settings> {
  return onlyRow((await db.query<Settings>(SELECT)).rows);
}

export async function lockSettings(db: Database): Promise<Settings> {
  return onlyRow((await db.query<Settings>(`${SELECT} for update`)).rows);
}
