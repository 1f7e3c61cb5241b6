import type { ValidationErrors } from '@angular/forms';
import { TelegramChat } from '@weir/shared/watch/alerts';
import { CidrRange } from '@weir/shared/people/keys';
import { NumberPrefix, TaxRate } from '@weir/shared/money/invoices';
import { ModelPublicId } from '@weir/shared/catalog/models';
import { CredentialSecret, ProxyAddress } from '@weir/shared/catalog/channels';
import { TierFactor } from '@weir/shared/prices/price-fields';
import { TotpCode } from '@weir/shared/people/second-factors';
import { SettingsUpdate } from '@weir/shared/people/settings';
import { Month, Multiplier, Name, Serial, Usd, UsdAmount } from '@weir/shared/api/wire-values';
import type { PlainKey, Translate } from '../i18n/i18n';
import type { Fault } from './rules';
import { VariantLines } from './variant-lines';

/** The pattern of a schema; throws when it lost it, because its words would never be shown. */
function patternOf(schema: object): string {
  if ('pattern' in schema && typeof schema.pattern === 'string') return schema.pattern;
  throw new Error('This schema has no pattern');
}

/** Texts for patterns and formats. */
const FORM_WORDS: Readonly<Record<string, PlainKey>> = {
  [patternOf(Usd)]: 'rule.usd',
  [patternOf(UsdAmount)]: 'rule.usdAmount',
  [patternOf(Multiplier)]: 'rule.multiplier',
  [patternOf(Name)]: 'rule.required',
  [patternOf(CidrRange)]: 'rule.cidr',
  [patternOf(ModelPublicId)]: 'rule.modelId',
  [patternOf(CredentialSecret)]: 'rule.noSpaces',
  '^\\S+$': 'rule.noSpaces',
  [patternOf(TelegramChat)]: 'rule.chatId',
  [patternOf(ProxyAddress)]: 'rule.proxy',
  [patternOf(TierFactor.properties.tier)]: 'rule.tier',
  [patternOf(VariantLines)]: 'rule.variants',
  [patternOf(TotpCode)]: 'rule.totp',
  [patternOf(Month)]: 'rule.month',
  [patternOf(TaxRate)]: 'rule.percent',
  [patternOf(NumberPrefix)]: 'rule.numberPrefix',
  [patternOf(SettingsUpdate.properties.logo)]: 'rule.logo',
  [patternOf(SettingsUpdate.properties.brandColor)]: 'rule.color',
  [patternOf(SettingsUpdate.properties.defaultModel)]: 'rule.modelId',
  [patternOf(SettingsUpdate.properties.captchaSiteKey)]: 'rule.captchaKey',
  [patternOf(SettingsUpdate.properties.captchaSecret)]: 'rule.captchaKey',
  [patternOf(SettingsUpdate.properties.emailDomainsAllowed.items)]: 'rule.domain',
  '^[a-z0-9](-?[a-z0-9])*$': 'rule.slug',
  '^https?://[^\\s<>]+$': 'rule.url',
  '^https?://': 'rule.url',
  '^(https?://.*|mailto:.*)?$': 'rule.link',
  email: 'rule.email',
  uuid: 'rule.choose',
  [patternOf(Serial)]: 'rule.choose',
  'date-time': 'rule.moment',
  date: 'rule.moment',
  integer: 'rule.integer',
  string: 'rule.form',
};

function isFault(value: unknown): value is Fault {
  return typeof value === 'object' && value !== null && 'keyword' in value;
}

function faultText({ keyword, limit = 0, form }: Fault, t: Translate): string {
  switch (keyword) {
    case 'minLength':
      return t('rule.minLength', { count: limit });
    case 'maxLength':
      return t('rule.maxLength', { count: limit });
    case 'minimum':
      return t('rule.minimum', { limit });
    case 'maximum':
      return t('rule.maximum', { limit });
    case 'minItems':
      return t('rule.minItems', { count: limit });
    case 'maxItems':
      return t('rule.maxItems', { count: limit });
    case 'enum':
      return t('rule.choose');
    default:
      return t(FORM_WORDS[form ?? ''] ?? 'rule.form');
  }
}

/** Returns the fault of a field in one sentence; empty when there is none. */
export function faultWords(errors: ValidationErrors | null, t: Translate): string {
  if (errors === null) return '';
  const {
    required,
    server,
    fault,
    words,
    halfFilled,
    belowOrdinary,
    repeated,
  }: Readonly<Record<string, unknown>> = errors;
  // Before `required`, because the field is not empty.
  if (halfFilled === true) return t('rule.moment');
  if (required === true) return t('rule.required');
  if (repeated === true) return t('rule.repeated');
  if (belowOrdinary === true) return t('rule.belowOrdinary');
  // What the server said about this field; it knows rules that no schema can state.
  if (typeof server === 'string') return server;
  // A rule between fields, already in words.
  if (typeof words === 'string') return words;
  if (!isFault(fault)) return t('rule.form');
  const text = faultText(fault, t);
  return fault.index === undefined ? text : t('rule.line', { number: fault.index + 1, text });
}
