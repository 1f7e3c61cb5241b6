import { signal } from '@angular/core';
import type { UsageRecordView } from '@weir/shared/watch/usage';
import { ApiFailure } from '../core/api/api-failure';
import type { ApiPort } from '../core/api/call-input';

/**
 * A record reaches the book within a second or so; after these pauses it is looked for once more.
 */
const PAUSES_MS = [300, 500, 800, 1_200, 2_000, 3_000, 5_000];

/** The bill of a reply, once it is in the book. */
export class ReplyBill {
  readonly #api: ApiPort;
  readonly #pause: (ms: number) => Promise<void>;
  readonly record = signal<UsageRecordView | undefined>(undefined);
  #wanted: string | null = null;

  constructor(
    api: ApiPort,
    pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  ) {
    this.#api = api;
    this.#pause = pause;
  }

  clear(): void {
    this.#wanted = null;
    this.record.set(undefined);
  }

  async await(requestId: string): Promise<UsageRecordView | undefined> {
    this.#wanted = requestId;
    for (const ms of PAUSES_MS) {
      await this.#pause(ms);
      if (this.#wanted !== requestId) return undefined;
      const record = await this.#look(requestId);
      if (record === undefined) continue;
      this.record.set(record);
      return record;
    }
    return undefined;
  }

  async #look(requestId: string): Promise<UsageRecordView | undefined> {
    try {
      return await this.#api.call('getOwnUsageRecord', { params: { requestId } });
    } catch (thrown) {
      // Not there yet. Anything else is no reason to spoil a reply that has already arrived.
      if (thrown instanceof ApiFailure) return undefined;
      throw thrown;
    }
  }
}
