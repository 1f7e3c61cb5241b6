import { computed, type Signal } from '@angular/core';
import type { PublicSettings } from '@weir/shared/people/settings';
import type { Failure } from '../api/api-failure';
import type { ApiPort } from '../api/call-input';
import { Loadable } from '../state/loadable';
import { pauseFor, persist, type Pause } from '../state/persist';

/** The public facts of this installation: its name, the gateway's address, the enabled features. */
export class Site {
  readonly #pause: Pause;
  readonly #public: Loadable<PublicSettings>;
  #loading: Promise<void> | undefined;

  readonly settings: Signal<PublicSettings | undefined>;
  /**
   * The failure because of which nothing is known. Known facts stay valid when a later request
   * fails.
   */
  readonly failure = computed((): Failure | undefined =>
    this.settings() === undefined ? this.#public.failure() : undefined,
  );

  constructor(api: ApiPort, pause = pauseFor) {
    this.#pause = pause;
    this.#public = new Loadable(() => api.call('getPublicSettings'));
    this.settings = this.#public.value;
  }

  /** Loads once, and tries until it is there or there is no more hope; `reload` asks again. */
  load(): Promise<void> {
    return (this.#loading ??= persist(
      () => this.#public.loadWhenIdle(),
      () => this.settings() !== undefined,
      this.#pause,
    ));
  }

  async reload(): Promise<void> {
    await this.#public.load();
  }
}
