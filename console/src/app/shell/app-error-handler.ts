import { ErrorHandler } from '@angular/core';
import { ApiFailure } from '../core/api/api-failure';
import type { Toasts } from '../design/feedback/toasts';

/**
 * Handles errors that no page handled. Shows an API error as a toast, so that no click fails
 * silently.
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
