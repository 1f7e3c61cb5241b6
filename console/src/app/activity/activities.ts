import { computed, effect, signal, untracked, type Signal } from '@angular/core';
import {
  ACTIVITY_IDS_MAX,
  type ActivityList,
  type ActivityView,
} from '@weir/shared/watch/activity';

/** An address stays below what proxies take. */
const IDS_AT_ONCE = Math.min(50, ACTIVITY_IDS_MAX);

interface Identified {
  readonly id: string;
}

/**
 * The latest 24 hours of the rows of a list. They are asked for once the rows are there, so that a
 * list never waits for its figures; without figures it shows none. Needs an injection context.
 */
export class Activities {
  readonly #fetch: (ids: string) => Promise<ActivityList>;
  readonly #known = signal<ReadonlyMap<string, ActivityView>>(new Map());
  readonly #asked = new Set<string>();

  constructor(rows: Signal<readonly Identified[]>, fetch: (ids: string) => Promise<ActivityList>) {
    this.#fetch = fetch;
    const ids = computed(() => rows().map(({ id }) => id));
    effect(() => {
      const wanted = ids().filter((id) => !this.#asked.has(id));
      untracked(() => this.#ask(wanted));
    });
  }

  /** Undefined while the figures are not there. */
  of(id: string): ActivityView | undefined {
    return this.#known().get(id);
  }

  #ask(ids: readonly string[]): void {
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      void this.#read(ids.slice(from, from + IDS_AT_ONCE));
    }
  }

  async #read(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#asked.add(id);
    try {
      const { data } = await this.#fetch(ids.join(','));
      this.#known.update(
        (known) => new Map([...known, ...data.map((one) => [one.id, one] as const)]),
      );
    } catch {
      // The list is of use without figures, and asks again when it is loaded again.
      for (const id of ids) this.#asked.delete(id);
    }
  }
}
