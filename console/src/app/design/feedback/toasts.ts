import type { MatSnackBar } from '@angular/material/snack-bar';
import { failureOf, type Failure } from '../../core/api/api-failure';
import type { I18n } from '../../core/i18n/i18n';
import { failureWords } from './failure-words';

/** Long enough to read; what matters is also on the page. */
const SHOWN_MS = 4_000;
const FAILURE_SHOWN_MS = 9_000;

/** Short confirmations at the page's foot, spoken politely. */
export class Toasts {
  readonly #bar: MatSnackBar;
  readonly #i18n: I18n;

  constructor(bar: MatSnackBar, i18n: I18n) {
    this.#bar = bar;
    this.#i18n = i18n;
  }

  info(text: string): void {
    this.#bar.open(text, undefined, { duration: SHOWN_MS, politeness: 'polite' });
  }

  /** For acts without a place of their own on the page, such as a switch in a row. */
  error(failure: Failure): void {
    const id = failure.requestId === null ? '' : ` · ${failure.requestId}`;
    this.warn(`${failureWords(failure, this.#i18n)}${id}`);
  }

  /** Does it; what goes wrong is said here. */
  async reporting(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.error(failureOf(thrown));
    }
  }

  /** For an act that an earlier try, whose answer was lost, had done: nothing was done now. */
  warnDoneBefore(): void {
    this.warn(this.#i18n.t('action.doneBefore'));
  }

  /** For what is wrong with a field that has no room for words, such as one in a row. */
  warn(text: string): void {
    this.#bar.open(text, this.#i18n.t('action.close'), {
      duration: FAILURE_SHOWN_MS,
      politeness: 'assertive',
    });
  }
}
