import { FormGroup, type ValidationErrors } from '@angular/forms';
import type { REGISTRATION_MODES } from '@weir/shared/people/registrations';
import {
  SettingsUpdate,
  type CaptchaProvider,
  type SettingsView,
} from '@weir/shared/people/settings';
import { compare, readDecimal } from '../../core/format/decimal';
import {
  amount,
  amountOf,
  flag,
  lines,
  linesOf,
  option,
  whole,
  wholeOf,
  words,
  wordsOf,
  wordsOrNothing,
} from '../../core/forms/controls';
import type { Translate } from '../../core/i18n/i18n';

const rules = SettingsUpdate.properties;

export class SettingsForm {
  readonly controls;
  readonly group;

  constructor(settings: SettingsView, t: Translate) {
    this.controls = {
      siteName: words(rules.siteName, { initial: settings.siteName, required: true }),
      registrationMode: option<(typeof REGISTRATION_MODES)[number]>(settings.registrationMode),
      emailVerificationRequired: flag(settings.emailVerificationRequired),
      registrationCreditUsd: amount(rules.registrationCreditUsd, {
        initial: settings.registrationCreditUsd,
        required: true,
      }),
      registrationCreditsPerNetwork: whole(rules.registrationCreditsPerNetwork, {
        initial: String(settings.registrationCreditsPerNetwork),
        required: true,
      }),
      emailDomainsAllowed: lines(rules.emailDomainsAllowed, {
        initial: settings.emailDomainsAllowed.join(', '),
      }),
      emailDomainsRefused: lines(rules.emailDomainsRefused, {
        initial: settings.emailDomainsRefused.join(', '),
      }),
      captchaProvider: option<CaptchaProvider>(settings.captchaProvider),
      captchaSiteKey: words(rules.captchaSiteKey, { initial: settings.captchaSiteKey }),
      captchaSecret: words(rules.captchaSecret),
      topUpMinUsd: amount(rules.topUpMinUsd, { initial: settings.topUpMinUsd, required: true }),
      topUpMaxUsd: amount(rules.topUpMaxUsd, { initial: settings.topUpMaxUsd, required: true }),
      topUpPresetsUsd: lines(rules.topUpPresetsUsd, {
        initial: settings.topUpPresetsUsd.join(', '),
      }),
      announcement: words(rules.announcement, { initial: settings.announcement }),
      supportUrl: words(rules.supportUrl, { initial: settings.supportUrl }),
      welcome: words(rules.welcome, { initial: settings.welcome }),
      terms: words(rules.terms, { initial: settings.terms }),
      privacy: words(rules.privacy, { initial: settings.privacy }),
      creditHelp: words(rules.creditHelp, { initial: settings.creditHelp }),
      logo: words(rules.logo, { initial: settings.logo }),
      brandColor: words(rules.brandColor, { initial: settings.brandColor }),
      defaultModel: words(rules.defaultModel, { initial: settings.defaultModel }),
      usageRetentionMonths: whole(rules.usageRetentionMonths, {
        initial: String(settings.usageRetentionMonths),
        required: true,
      }),
      requestLogDays: whole(rules.requestLogDays, {
        initial: String(settings.requestLogDays),
        required: true,
      }),
    };
    this.controls.topUpMaxUsd.addValidators(() => this.#notBelowLeast(t));
    this.controls.topUpMinUsd.valueChanges.subscribe(() =>
      this.controls.topUpMaxUsd.updateValueAndValidity(),
    );
    this.group = new FormGroup(this.controls);
  }

  #notBelowLeast(t: Translate): ValidationErrors | null {
    const least = readDecimal(amountOf(this.controls.topUpMinUsd));
    const most = readDecimal(amountOf(this.controls.topUpMaxUsd));
    if (least === undefined || most === undefined || compare(most, least) >= 0) return null;
    return { words: t('rule.minimum', { limit: amountOf(this.controls.topUpMinUsd) }) };
  }

  body(): SettingsUpdate {
    const { controls } = this;
    const secret = wordsOrNothing(controls.captchaSecret);
    return {
      siteName: wordsOf(controls.siteName),
      registrationMode: controls.registrationMode.value,
      emailVerificationRequired: controls.emailVerificationRequired.value,
      registrationCreditUsd: amountOf(controls.registrationCreditUsd),
      registrationCreditsPerNetwork: wholeOf(controls.registrationCreditsPerNetwork),
      emailDomainsAllowed: linesOf(controls.emailDomainsAllowed),
      emailDomainsRefused: linesOf(controls.emailDomainsRefused),
      captchaProvider: controls.captchaProvider.value,
      captchaSiteKey: wordsOf(controls.captchaSiteKey),
      ...(secret === undefined ? {} : { captchaSecret: secret }),
      topUpMinUsd: amountOf(controls.topUpMinUsd),
      topUpMaxUsd: amountOf(controls.topUpMaxUsd),
      topUpPresetsUsd: linesOf(controls.topUpPresetsUsd),
      announcement: wordsOf(controls.announcement),
      supportUrl: wordsOf(controls.supportUrl),
      welcome: wordsOf(controls.welcome),
      terms: wordsOf(controls.terms),
      privacy: wordsOf(controls.privacy),
      creditHelp: wordsOf(controls.creditHelp),
      logo: controls.logo.value,
      brandColor: wordsOf(controls.brandColor),
      defaultModel: controls.defaultModel.value,
      usageRetentionMonths: wholeOf(controls.usageRetentionMonths),
      requestLogDays: wholeOf(controls.requestLogDays),
    };
  }
}
