import type { MatSnackBar, MatSnackBarConfig } from '@angular/material/snack-bar';
import { failureOf, type Failure } from '../../core/api/api-failure';
import type { I18n } from '../../core/i18n/i18n';
import { failureWords } from './failure-words';

/** Long enough to read; what matters is also on the page. */
const SHOWN_MS = 4_000;
const FAILURE_SHOWN_MS = 9_000;

/** Short confirmations at the page's foot, spoken politely. */
export class Toasts {
  readonly #loadBar: () => Promise<MatSnackBar>;
  readonly #i18n: I18n;

  /**
   * @param loadBar Loads the bar for the first toast: no page needs it before. It is loaded when
   *   the browser is idle as well, because toasts say that the server cannot be reached.
   */
  constructor(loadBar: () => Promise<MatSnackBar>, i18n: I18n) {
    this.#loadBar = loadBar;
    this.#i18n = i18n;
  }

  info(text: string): void {
    this.#open(text, undefined, { duration: SHOWN_MS, politeness: 'polite' });
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
    this.#open(text, this.#i18n.t('action.close'), {
      duration: FAILURE_SHOWN_MS,
      politeness: 'assertive',
    });
  }

  #open(text: string, action: string | undefined, config: MatSnackBarConfig): void {
    const open = (bar: MatSnackBar) => void bar.open(text, action, config);
    // A toast that cannot be loaded must not become a failure that asks for a toast.
    void this.#loadBar().then(open, () => undefined);
  }
}
