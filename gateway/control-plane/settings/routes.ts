import { randomUUID } from 'node:crypto';
import type { OPERATION_ROUTES } from '@weir/shared/api/admin-routes/operation';
import type { PublicSettings, SettingsUpdate, SettingsView } from '@weir/shared/people/settings';
import { decimalFromNanoUsd } from '@weir/shared/money/money';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { seal } from '../../platform/secrets/secrets.ts';
import { amountFromWire } from '../api/amount.ts';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import type { AdminContext } from '../api/context.ts';
import { digestOf } from '../api/callers/opaque-token.ts';
import { inTransaction, type Database } from '../api/transaction.ts';
import { audit } from '../audit/audit-log.ts';
import { asDomain } from '../registrations/email-domains.ts';
import { lockSettings, readSettings, type Settings } from './read-settings.ts';

type Table = Pick<
  typeof OPERATION_ROUTES,
  'getPublicSettings' | 'getSiteText' | 'getSettings' | 'updateSettings'
>;

export const settingsHandlers: HandlersOf<Table> = {
  getPublicSettings: async ({ context }) => publicView(await readSettings(context.pool), context),
  getSiteText: async ({ context, query }) => ({
    markdown: (await readSettings(context.pool))[query.name],
  }),
  getSettings: async ({ context }) => settingsView(await readSettings(context.pool)),
  updateSettings,
};

function settingsView(settings: Settings): SettingsView {
  return {
    siteName: settings.siteName,
    registrationMode: settings.registrationMode,
    emailVerificationRequired: settings.emailVerificationRequired,
    registrationCreditUsd: decimalFromNanoUsd(settings.registrationCreditNanoUsd),
    registrationCreditsPerNetwork: settings.registrationCreditsPerNetwork,
    emailDomainsAllowed: [...settings.emailDomainsAllowed],
    emailDomainsRefused: [...settings.emailDomainsRefused],
    captchaProvider: settings.captchaProvider,
    captchaSiteKey: settings.captchaSiteKey,
    captchaSecretSet: settings.captchaSecretSealed !== null,
    topUpMinUsd: decimalFromNanoUsd(settings.topUpMinNanoUsd),
    topUpMaxUsd: decimalFromNanoUsd(settings.topUpMaxNanoUsd),
    topUpPresetsUsd: settings.topUpPresetsNanoUsd.map(decimalFromNanoUsd),
    announcement: settings.announcement,
    supportUrl: settings.supportUrl,
    welcome: settings.welcome,
    terms: settings.terms,
    privacy: settings.privacy,
    creditHelp: settings.creditHelp,
    logo: settings.logo,
    brandColor: settings.brandColor,
    defaultModel: settings.defaultModel,
    usageRetentionMonths: settings.usageRetentionMonths,
    requestLogDays: settings.requestLogDays,
    updatedAt: settings.updatedAt.toISOString(),
  };
}

function publicView(settings: Settings, context: AdminContext): PublicSettings {
  const view = settingsView(settings);
  return {
    siteName: view.siteName,
    registrationMode: view.registrationMode,
    emailVerificationRequired: view.emailVerificationRequired,
    captcha:
      view.captchaProvider === 'none'
        ? null
        : { provider: view.captchaProvider, siteKey: view.captchaSiteKey },
    gatewayUrl: context.gatewayUrl,
    cardPayments: context.stripe !== null,
    mailConfigured: context.mailer.configured,
    topUpMinUsd: view.topUpMinUsd,
    topUpMaxUsd: view.topUpMaxUsd,
    topUpPresetsUsd: view.topUpPresetsUsd,
    announcement: view.announcement,
    supportUrl: view.supportUrl,
    creditHelp: view.creditHelp,
    logo: view.logo,
    brandColor: view.brandColor,
    defaultModel: settings.hidesDefaultModel ? '' : view.defaultModel,
    hasTerms: view.terms.trim() !== '',
    hasPrivacy: view.privacy.trim() !== '',
    version: context.version,
  };
}

/** No one reads an image in the audit log, and each entry would hold it twice. */
function forAudit(view: SettingsView): SettingsView {
  const { logo } = view;
  return { ...view, logo: logo === '' ? '' : `${digestOf(logo).toString('hex').slice(0, 16)}…` };
}

/** The amounts of an update in nanodollars, or which one is too large. */
function readAmounts(body: SettingsUpdate) {
  const presets = body.topUpPresetsUsd?.map((usd) => amountFromWire(usd, 'topUpPresetsUsd'));
  const refused = presets?.find((amount) => typeof amount !== 'number');
  if (refused !== undefined) return refused;
  const amounts = {
    registrationCredit: amountFromWire(body.registrationCreditUsd, 'registrationCreditUsd'),
    topUpMin: amountFromWire(body.topUpMinUsd, 'topUpMinUsd'),
    topUpMax: amountFromWire(body.topUpMaxUsd, 'topUpMaxUsd'),
  };
  for (const amount of Object.values(amounts)) if (typeof amount === 'object') return amount;
  return { ...amounts, presets };
}

function refuseBounds(settings: Settings, min: unknown, max: unknown): Refusal | undefined {
  const least = typeof min === 'number' ? min : settings.topUpMinNanoUsd;
  const most = typeof max === 'number' ? max : settings.topUpMaxNanoUsd;
  if (least > 0 && least <= most) return undefined;
  return refuse('invalid_value', 'The least top-up must be above 0 and not above the largest.', {
    param: 'topUpMinUsd',
  });
}

/** Requires both keys of the captcha before it is asked for: with one, no one could register. */
function refuseCaptcha({ captchaProvider, ...settings }: Settings): Refusal | undefined {
  if (captchaProvider === 'none') return undefined;
  const lacks = (param: string) =>
    refuse('invalid_value', `The captcha needs both of its keys: send "${param}" as well.`, {
      param,
    });
  if (settings.captchaSiteKey === '') return lacks('captchaSiteKey');
  return settings.captchaSecretSealed === null ? lacks('captchaSecret') : undefined;
}

async function keepCaptchaSecret(
  db: Database,
  context: AdminContext,
  secret: string | undefined,
): Promise<void> {
  if (secret === undefined) return;
  await db.query('delete from captcha_secrets');
  await db.query('insert into captcha_secrets (id, sealed) values ($1, $2)', [
    randomUUID(),
    seal(context.secrets, secret),
  ]);
}

async function updateSettings(call: Call<'updateSettings'>): Answer<'updateSettings'> {
  const { body, context } = call;
  const amounts = readAmounts(body);
  if ('refused' in amounts) return amounts;
  const changes = given([
    ['site_name', body.siteName],
    ['registration_mode', body.registrationMode],
    ['email_verification_required', body.emailVerificationRequired],
    ['registration_credit_nano_usd', amounts.registrationCredit],
    ['registration_credits_per_network', body.registrationCreditsPerNetwork],
    ['email_domains_allowed', body.emailDomainsAllowed?.map(asDomain)],
    ['email_domains_refused', body.emailDomainsRefused?.map(asDomain)],
    ['captcha_provider', body.captchaProvider],
    ['captcha_site_key', body.captchaSiteKey],
    ['top_up_min_nano_usd', amounts.topUpMin],
    ['top_up_max_nano_usd', amounts.topUpMax],
    ['top_up_presets_nano_usd', amounts.presets],
    ['announcement', body.announcement],
    ['support_url', body.supportUrl],
    ['welcome', body.welcome],
    ['terms', body.terms],
    ['privacy', body.privacy],
    ['credit_help', body.creditHelp],
    ['logo', body.logo],
    ['brand_color', body.brandColor],
    ['default_model', body.defaultModel],
    ['usage_retention_months', body.usageRetentionMonths],
    ['request_log_days', body.requestLogDays],
  ]);
  return inTransaction(context.pool, async (client) => {
    const settings = await lockSettings(client);
    const before = settingsView(settings);
    const stale =
      call.refuseStale(before) ?? refuseBounds(settings, amounts.topUpMin, amounts.topUpMax);
    if (stale !== undefined) return stale;
    const { sql, values } = setClause(changes, 1);
    await client.query(`update settings set ${sql}`, [...values]);
    await keepCaptchaSecret(client, context, body.captchaSecret);
    const changed = await readSettings(client);
    const withoutKeys = refuseCaptcha(changed);
    if (withoutKeys !== undefined) return withoutKeys;
    const after = settingsView(changed);
    return {
      view: after,
      audit: await audit(client, call, {
        kind: 'settings',
        id: 'settings',
        before: forAudit(before),
        after: forAudit(after),
      }),
    };
  });
}
