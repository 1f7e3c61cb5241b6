import { ErrorHandler } from '@angular/core';
import { ApiFailure } from '../core/api/api-failure';
import type { Toasts } from '../design/feedback/toasts';

/**
 * What no page has dealt with. A failure of the server is said at the page's foot, so that nobody
 * clicks and hears nothing.
 */
export class AppErrorHandler extends ErrorHandler {
  readonly #toasts: () => Pick<Toasts, 'error'>;

  /** `toasts` is a function because what they are made of needs the error handler in turn. */
  constructor(toasts: () => Pick<Toasts, 'error'>) {
    super();
    this.#toasts = toasts;
  }

  override handleError(thrown: unknown): void {
    super.handleError(thrown);
    // A session that has ended leads to the login page, which says so.
    if (thrown instanceof ApiFailure && thrown.code !== 'not_authenticated') {
      this.#toasts().error(thrown);
    }
  }
}
