import type { ClientCode, Failure, FailureCode } from '../../core/api/api-failure';
import type { I18n, PlainKey } from '../../core/i18n/i18n';

/** Failures without a sentence of the server, or whose sentence the console knows better. */
const OWN_WORDS: Partial<Record<FailureCode, PlainKey>> = {
  unreachable: 'failure.unreachable',
  unreadable_reply: 'failure.unreadable',
  cut_off: 'failure.cutOff',
  unknown: 'failure.unknown',
};

/**
 * Words for a failure. The server writes English; other languages have their own words for each
 * code.
 */
export function failureWords(failure: Failure, i18n: Pick<I18n, 't' | 'language'>): string {
  const { code, requestId } = failure;
  // The gateway names the request in its sentence, for clients that show nothing else; a note has a
  // line of its own for it.
  const detail = failure.detail.replace(` (request id: ${requestId ?? ''})`, '');
  const own = OWN_WORDS[code];
  if (own !== undefined) return i18n.t(own);
  if (i18n.language() === 'en' && detail !== '') return detail;
  return i18n.t(`problem.${code as Exclude<FailureCode, ClientCode | 'unknown'>}`);
}
