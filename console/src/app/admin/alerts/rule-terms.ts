import type { AlertRuleView } from '@weir/shared/watch/alerts';
import type { Formatter } from '../../core/format/formatter';
import type { Translate } from '../../core/i18n/i18n';

/** Returns the terms of a rule in one line. */
export function ruleTerms(
  rule: AlertRuleView,
  t: Translate,
  formatter: Pick<Formatter, 'usd' | 'duration'>,
): string {
  const { percent, windowMinutes, belowUsd, lagSeconds, registrationsMin, job } = rule;
  const { firstTokenMs, timesUsual } = rule;
  if (percent !== null) {
    return t('alerts.rateTerms', { percent, minutes: windowMinutes ?? 0 });
  }
  if (registrationsMin !== null) {
    return t('alerts.waveTerms', { count: registrationsMin, minutes: windowMinutes ?? 0 });
  }
  if (belowUsd !== null) return t('alerts.belowTerms', { amount: formatter.usd(belowUsd) });
  if (lagSeconds !== null) return t('alerts.lagTerms', { seconds: lagSeconds });
  if (firstTokenMs !== null) {
    return t('alerts.firstTokenTerms', { time: formatter.duration(firstTokenMs) });
  }
  if (timesUsual !== null) return t('alerts.timesTerms', { times: timesUsual });
  return job ?? '';
}
