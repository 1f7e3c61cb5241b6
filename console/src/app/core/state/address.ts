import type { Router } from '@angular/router';
import { Id } from '@weir/shared/wire-values';
import { matchesSchema } from '../api/matches-schema';

/** An id that came with the address. Anything else filters nothing, and the filter says so. */
export function idFrom(parameter: string | undefined): string {
  return parameter !== undefined && matchesSchema(Id, parameter) ? parameter : '';
}

/** The query of the page's address. */
export class Address {
  readonly #router: Router;

  constructor(router: Router) {
    this.#router = router;
  }

  /** Says what is shown, so that it can be passed on. Nothing is said of an empty value. */
  say(name: string, value: string): void {
    void this.#router.navigate([], {
      queryParams: { [name]: value === '' ? null : value },
      queryParamsHandling: 'merge',
    });
  }

  /** Removes a parameter once its object is open: Back must not open it again. */
  async forget(name: string): Promise<void> {
    await this.#router.navigate([], {
      queryParams: { [name]: null },
      queryParamsHandling: 'merge',
      replaceUrl: true,
    });
  }
}
