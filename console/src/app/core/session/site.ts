import { signal } from '@angular/core';
import type { PublicSettings } from '@weir/shared/settings';
import { failureOf, type Failure } from '../api/api-failure';
import type { ApiPort } from '../api/call-input';

/** What anyone may know about this installation: its name, the gateway's address, what is switched on. */
export class Site {
  readonly #api: ApiPort;
  #loading: Promise<void> | undefined;

  readonly settings = signal<PublicSettings | undefined>(undefined);
  readonly failure = signal<Failure | undefined>(undefined);

  constructor(api: ApiPort) {
    this.#api = api;
  }

  /** Loads once; `reload` asks anew. */
  load(): Promise<void> {
    return (this.#loading ??= this.reload());
  }

  async reload(): Promise<void> {
    try {
      this.settings.set(await this.#api.call('getPublicSettings'));
      this.failure.set(undefined);
    } catch (thrown) {
      this.#loading = undefined;
      this.failure.set(failureOf(thrown));
    }
  }
}
