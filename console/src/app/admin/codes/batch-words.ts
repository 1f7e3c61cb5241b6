import type { Translate } from '../../core/i18n/i18n';

/**
 * What is said above new codes; of those that an earlier try made, whose answer was lost, that they
 * are not new.
 */
export function madeWords(
  { count, before }: { readonly count: number; readonly before: boolean },
  t: Translate,
): string {
  return before ? t('codes.madeBefore') : t('codes.made', { count });
}
