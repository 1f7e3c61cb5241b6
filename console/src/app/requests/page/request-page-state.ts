import { computed } from '@angular/core';
import { timeOfRequestId } from '@weir/shared/watch/request-ids';
import { failureOf } from '../../core/api/api-failure';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import type { UsageRow } from '../../usage/usage-row';
import type { RequestRow } from '../requests-state';

/** An entry and a bill come within seconds; what has not come by then does not come. */
const FRESH_MS = 60_000;

/** Resolves with null if the server has none; other failures are failures. */
async function orNull<Value>(fetched: Promise<Value>): Promise<Value | null> {
  try {
    return await fetched;
  } catch (thrown) {
    if (failureOf(thrown).code === 'not_found') return null;
    throw thrown;
  }
}

/** One request: its entry in the log, and its bill. Either may be missing. */
export class RequestPageState {
  readonly request: Loadable<RequestRow | null>;
  readonly bill: Loadable<UsageRow | null>;
  readonly #requestId: string;
  readonly #now: () => number;
  readonly waiting = computed(() => this.request.waiting() || this.bill.waiting());
  readonly failure = computed(() => this.request.failure() ?? this.bill.failure());
  readonly isMissing = computed(() => this.request.value() === null && this.bill.value() === null);

  /** @param isOperator Reads the requests of everyone, with what only operators are told. */
  constructor(
    api: ApiPort,
    requestId: string,
    options: { readonly isOperator: boolean; readonly now?: () => number },
  ) {
    const { isOperator, now = () => Date.now() } = options;
    const params = { requestId };
    this.#requestId = requestId;
    this.#now = now;
    this.request = new Loadable<RequestRow | null>(() =>
      orNull(
        isOperator ? api.call('getRequest', { params }) : api.call('getOwnRequest', { params }),
      ),
    );
    this.bill = new Loadable<UsageRow | null>(() =>
      orNull(
        isOperator
          ? api.call('getUsageRecord', { params })
          : api.call('getOwnUsageRecord', { params }),
      ),
    );
  }

  async load(): Promise<void> {
    await Promise.all([this.request.load(), this.bill.load()]);
  }

  /** Reports whether something may still come. */
  isExpected(): boolean {
    const ageMs = this.#now() - timeOfRequestId(this.#requestId);
    const request = this.request.value();
    const isBilled = request === null || Number(request?.costUsd ?? 0) > 0;
    return ageMs < FRESH_MS && (request === null || (isBilled && this.bill.value() === null));
  }

  /** Looks again for what is missing. */
  async lookAgain(): Promise<void> {
    const missing = [this.request, this.bill].filter((part) => part.value() === null);
    await Promise.all(missing.map((part) => part.loadWhenIdle()));
  }
}
