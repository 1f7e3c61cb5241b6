import { signal } from '@angular/core';

/**
 * Values of keys made or rotated in this visit, for the setup texts and the playground. In memory
 * alone: they are gone with the page, and are in no storage.
 */
export class FreshKeys {
  readonly #values = signal<ReadonlyMap<string, string>>(new Map());

  remember(keyId: string, value: string): void {
    this.#values.update((values) => new Map(values).set(keyId, value));
  }

  valueOf(keyId: string): string | undefined {
    return this.#values().get(keyId);
  }

  forget(): void {
    this.#values.set(new Map());
  }
}
