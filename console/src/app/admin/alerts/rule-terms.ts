import type { AlertRuleView } from '@weir/shared/alerts';
import type { Formatter } from '../../core/format/formatter';
import type { Translate } from '../../core/i18n/i18n';

/** What a rule compares with, in a line. */
export function ruleTerms(
  rule: AlertRuleView,
  t: Translate,
  formatter: Pick<Formatter, 'usd'>,
): string {
  const { percent, windowMinutes, belowUsd, lagSeconds, registrationsMin, job } = rule;
  if (percent !== null) {
    return t('alerts.rateTerms', { percent, minutes: windowMinutes ?? 0 });
  }
  if (registrationsMin !== null) {
    return t('alerts.waveTerms', { count: registrationsMin, minutes: windowMinutes ?? 0 });
  }
  if (belowUsd !== null) return t('alerts.belowTerms', { amount: formatter.usd(belowUsd) });
  if (lagSeconds !== null) return t('alerts.lagTerms', { seconds: lagSeconds });
  return job ?? '';
}
