import type { Translate } from '../../core/i18n/i18n';

/**
 * Returns the text above new codes. For codes of an earlier try whose reply was lost, it says that
 * they are not new.
 */
export function madeWords(
  { count, before }: { readonly count: number; readonly before: boolean },
  t: Translate,
): string {
  return before ? t('codes.madeBefore') : t('codes.made', { count });
}
