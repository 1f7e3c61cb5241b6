import type { Params, Router } from '@angular/router';
import { Id } from '@weir/shared/api/wire-values';
import { matchesSchema } from '../api/matches-schema';

/** An id that came with the address. Anything else filters nothing, and the filter says so. */
export function idFrom(parameter: string | undefined): string {
  return parameter !== undefined && matchesSchema(Id, parameter) ? parameter : '';
}

/** The query of the page's address. */
export class Address {
  readonly #router: Router;
  /**
   * Parameters of navigations that have not ended. A navigation that begins meanwhile takes their
   * place, so it repeats what they say.
   */
  #unsaid: Readonly<Record<string, string | null>> = {};

  constructor(router: Router) {
    this.#router = router;
  }

  /**
   * Says what is shown, so that it can be passed on. Nothing is said of an empty value.
   * @param replaceUrl True for what changes with each letter: Back leads to the page before.
   */
  say(name: string, value: string, { replaceUrl = false } = {}): void {
    const parameter = value === '' ? null : value;
    this.#unsaid = { ...this.#unsaid, [name]: parameter };
    const said = this.#unsaid;
    const forget = (): void => {
      if (this.#unsaid === said) this.#unsaid = {};
    };
    void this.#router
      .navigate([], { queryParams: said, queryParamsHandling: 'merge', replaceUrl })
      .then(forget, forget);
  }

  /** Says nothing any more but these parameters. */
  async keepOnly(names: readonly string[]): Promise<void> {
    const { queryParams } = this.#router.parseUrl(this.#router.url);
    const kept: Params = Object.fromEntries(
      Object.entries(queryParams).filter(([name]) => names.includes(name)),
    );
    await this.#router.navigate([], { queryParams: kept });
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
