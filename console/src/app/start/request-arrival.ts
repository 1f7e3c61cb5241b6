import { computed, signal } from '@angular/core';
import type { RequestView } from '@weir/shared/watch/requests';
import type { ApiPort } from '../core/api/call-input';
import { Loadable } from '../core/state/loadable';

/** Follows the newest request of one key, to show that its tool has reached the gateway. */
export class RequestArrival {
  readonly #newest: Loadable<RequestView | null>;
  readonly #before = signal<string | null | undefined>(undefined);

  /** True if the key had requests before it was followed. */
  readonly wasUsed = computed(() => typeof this.#before() === 'string');
  /** The newest request since the key is followed. */
  readonly arrived = computed((): RequestView | undefined => {
    const newest = this.#newest.value();
    const before = this.#before();
    if (newest === undefined || newest === null || before === undefined) return undefined;
    return newest.requestId === before ? undefined : newest;
  });
  /** Nothing is known yet, or not any more. */
  readonly unknown = computed(
    () => this.#before() === undefined || this.#newest.failure() !== undefined,
  );

  constructor(api: ApiPort, keyId: string) {
    this.#newest = new Loadable(async () => {
      const { data } = await api.call('listOwnRequests', { query: { keyId, limit: 1 } });
      const newest = data[0] ?? null;
      if (this.#before() === undefined) this.#before.set(newest?.requestId ?? null);
      return newest;
    });
  }

  look(): Promise<void> {
    return this.#newest.loadWhenIdle();
  }
}
