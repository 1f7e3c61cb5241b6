import * as Type from 'typebox';
import type { Static } from 'typebox';
import {
  choice,
  closed,
  Instant,
  nullable,
  partial,
  TEXT_KIND,
  UsdAmount,
} from '../api/wire-values.ts';
import { REQUEST_LOG_DAYS_MAX } from '../watch/requests.ts';
import { REGISTRATION_MODES } from './registrations.ts';

/** Every visitor transfers the logo with the settings, so it must be small. */
export const LOGO_CHARACTERS_MAX = 64_000;
/** Texts of several pages, in Markdown. */
const LongMarkdown = Type.String({ maxLength: 100_000, [TEXT_KIND]: 'lines' });

const CAPTCHA_PROVIDERS = ['none', 'turnstile', 'hcaptcha'] as const;
export type CaptchaProvider = (typeof CAPTCHA_PROVIDERS)[number];

const EMAIL_DOMAINS_MAX = 1_000;
/** A domain in ASCII; it stands for its subdomains, too. */
const EmailDomain = Type.String({
  maxLength: 253,
  pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9-]{2,63}$',
});

const SETTINGS = {
  siteName: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  registrationMode: choice(REGISTRATION_MODES),
  /** A new user must follow an e-mailed link before the first login. */
  emailVerificationRequired: Type.Boolean(),
  /** Given once to every account that registers; "0" gives nothing. */
  registrationCreditUsd: UsdAmount,
  /** Accounts of one network (IPv4 /24, IPv6 /48) that get the credit within 24 hours. */
  registrationCreditsPerNetwork: Type.Integer({ minimum: 1, maximum: 10_000 }),
  /** Only these may register; empty: all. */
  emailDomainsAllowed: Type.Array(EmailDomain, { maxItems: EMAIL_DOMAINS_MAX }),
  emailDomainsRefused: Type.Array(EmailDomain, { maxItems: EMAIL_DOMAINS_MAX }),
  captchaProvider: choice(CAPTCHA_PROVIDERS),
  /** The public key of the widget. */
  captchaSiteKey: Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]*$' }),
  topUpMinUsd: UsdAmount,
  topUpMaxUsd: UsdAmount,
  /** Amounts offered as buttons. */
  topUpPresetsUsd: Type.Array(UsdAmount, { maxItems: 8 }),
  /** Markdown, shown on every page of the console until it is closed; empty shows nothing. */
  announcement: Type.String({ maxLength: 2000, [TEXT_KIND]: 'lines' }),
  /** Markdown: what the service is, on its first page. Empty: Weir's own words. */
  welcome: LongMarkdown,
  /** Markdown; when it or `privacy` is set, registering requires consent. */
  terms: LongMarkdown,
  privacy: LongMarkdown,
  /** Markdown: how customers get credit, shown wherever money is missing. */
  creditHelp: Type.String({ maxLength: 2000, [TEXT_KIND]: 'lines' }),
  /** An image as a data: address; empty shows Weir's own mark. */
  logo: Type.String({
    maxLength: LOGO_CHARACTERS_MAX,
    [TEXT_KIND]: 'opaque',
    pattern: '^(data:image/(png|jpeg|webp|svg\\+xml);base64,[A-Za-z0-9+/]+=*)?$',
  }),
  /**
   * Hue and strength of the console's colour; its lightness is the console's, so that texts stay
   * readable.
   */
  brandColor: Type.String({ pattern: '^(#[0-9A-Fa-f]{6})?$' }),
  /** The public ID of the model that forms begin with; empty: the cheapest. */
  defaultModel: Type.String({ pattern: '^([A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127})?$' }),
  /** The address where customers ask for help; empty shows nothing. */
  supportUrl: Type.String({
    maxLength: 500,
    pattern: '^(https?://.*|mailto:.*)?$',
    [TEXT_KIND]: 'ascii',
  }),
  /** Months of usage records kept; older partitions are dropped. Daily sums are kept for ever. */
  usageRetentionMonths: Type.Integer({ minimum: 1, maximum: 120 }),
  /** Days of the request log kept, today among them. */
  requestLogDays: Type.Integer({ minimum: 1, maximum: REQUEST_LOG_DAYS_MAX }),
};

export const SettingsView = closed({
  ...SETTINGS,
  /** A secret key of the captcha is kept. */
  captchaSecretSet: Type.Boolean(),
  updatedAt: Instant,
});
export type SettingsView = Static<typeof SettingsView>;

export const SettingsUpdate = partial(
  closed({
    ...SETTINGS,
    /** The secret key of the captcha; it is never shown again. */
    captchaSecret: Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' }),
  }),
  { additionalProperties: false },
);
export type SettingsUpdate = Static<typeof SettingsUpdate>;

/** The settings that anyone may read before logging in. */
export const PublicSettings = closed({
  siteName: SETTINGS.siteName,
  registrationMode: SETTINGS.registrationMode,
  emailVerificationRequired: Type.Boolean(),
  /** Null where registering needs none. */
  captcha: nullable(
    closed({ provider: choice(['turnstile', 'hcaptcha']), siteKey: Type.String() }),
  ),
  /** The root that clients are given: `{gatewayUrl}/v1/chat/completions`. */
  gatewayUrl: Type.String(),
  /** Card payment is configured. */
  cardPayments: Type.Boolean(),
  /** Without it, links are logged for the operator instead of mailed. */
  mailConfigured: Type.Boolean(),
  topUpMinUsd: UsdAmount,
  topUpMaxUsd: UsdAmount,
  topUpPresetsUsd: Type.Array(UsdAmount),
  announcement: Type.String(),
  supportUrl: Type.String(),
  creditHelp: Type.String(),
  logo: Type.String(),
  brandColor: Type.String(),
  defaultModel: Type.String(),
  /** There are terms, and a privacy notice, to read and to agree to. */
  hasTerms: Type.Boolean(),
  hasPrivacy: Type.Boolean(),
  version: Type.String(),
});
export type PublicSettings = Static<typeof PublicSettings>;

export const SITE_TEXTS = ['welcome', 'terms', 'privacy'] as const;
export const SiteTextQuery = closed({ name: choice(SITE_TEXTS) });
export const SiteText = closed({ markdown: Type.String() });
export type SiteText = Static<typeof SiteText>;

/** Re-encrypts everything at rest under the present SECRET_KEY. */
export const SecretRotationView = closed({
  /** Values that were sealed under the former key and are now under the present one. */
  resealed: Type.Integer(),
  /** Values that neither key opens. */
  unreadable: Type.Integer(),
  finishedAt: nullable(Instant),
});
export type SecretRotationView = Static<typeof SecretRotationView>;
