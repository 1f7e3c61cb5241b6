import { Type, type Static } from 'typebox';
import { choice, closed, Instant, nullable, UsdAmount } from './wire-values.ts';
import { REQUEST_LOG_DAYS_MAX } from './requests.ts';
import { REGISTRATION_MODES } from './registrations.ts';

const SETTINGS = {
  siteName: Type.String({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  registrationMode: choice(REGISTRATION_MODES),
  /** A new user must follow an e-mailed link before the first login. */
  emailVerificationRequired: Type.Boolean(),
  /** Given once to every account that registers; "0" gives nothing. */
  registrationCreditUsd: UsdAmount,
  topUpMinUsd: UsdAmount,
  topUpMaxUsd: UsdAmount,
  /** Amounts offered as buttons. */
  topUpPresetsUsd: Type.Array(UsdAmount, { maxItems: 8 }),
  /** Shown on every page of the console; empty shows nothing. */
  announcement: Type.String({ maxLength: 2000 }),
  /** Where customers ask for help; empty shows nothing. */
  supportUrl: Type.String({ maxLength: 500, pattern: '^(https?://.*|mailto:.*)?$' }),
  /** Months of usage records kept; older partitions are dropped. Daily sums are kept for ever. */
  usageRetentionMonths: Type.Integer({ minimum: 1, maximum: 120 }),
  /** Days of the request log kept, today among them. */
  requestLogDays: Type.Integer({ minimum: 1, maximum: REQUEST_LOG_DAYS_MAX }),
};

export const SettingsView = closed({ ...SETTINGS, updatedAt: Instant });
export type SettingsView = Static<typeof SettingsView>;

export const SettingsUpdate = Type.Partial(closed(SETTINGS), { additionalProperties: false });
export type SettingsUpdate = Static<typeof SettingsUpdate>;

/** What anyone may know before logging in. */
export const PublicSettings = closed({
  siteName: SETTINGS.siteName,
  registrationMode: SETTINGS.registrationMode,
  emailVerificationRequired: Type.Boolean(),
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
  version: Type.String(),
});
export type PublicSettings = Static<typeof PublicSettings>;

/** Re-encrypts everything at rest under the present SECRET_KEY. */
export const SecretRotationView = closed({
  /** Values that were sealed under the former key and are now under the present one. */
  resealed: Type.Integer(),
  /** Values that neither key opens. */
  unreadable: Type.Integer(),
  finishedAt: nullable(Instant),
});
export type SecretRotationView = Static<typeof SecretRotationView>;
