import { computed, type Signal } from '@angular/core';
import type { PublicSettings } from '@weir/shared/settings';
import type { Failure } from '../api/api-failure';
import type { ApiPort } from '../api/call-input';
import { Loadable } from '../state/loadable';

/** What failed at the start is asked for again after each of these. From then on whoever is there has to say so. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** What anyone may know about this installation: its name, the gateway's address, what is switched on. */
export class Site {
  readonly #pause: (ms: number) => Promise<void>;
  readonly #public: Loadable<PublicSettings>;
  #loading: Promise<void> | undefined;

  readonly settings: Signal<PublicSettings | undefined>;
  /** Why nothing is known. What was known before stays good when asking anew fails. */
  readonly failure = computed((): Failure | undefined =>
    this.settings() === undefined ? this.#public.failure() : undefined,
  );

  constructor(
    api: ApiPort,
    pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  ) {
    this.#pause = pause;
    this.#public = new Loadable(() => api.call('getPublicSettings'));
    this.settings = this.#public.value;
  }

  /** Loads once, and tries until it is there or there is no more hope; `reload` asks anew. */
  load(): Promise<void> {
    return (this.#loading ??= this.#persist());
  }

  async reload(): Promise<void> {
    await this.#public.load();
  }

  async #persist(): Promise<void> {
    await this.reload();
    for (const ms of PAUSES_MS) {
      if (this.settings() !== undefined) return;
      await this.#pause(ms);
      if (this.settings() === undefined) await this.#public.loadWhenIdle();
    }
  }
}
