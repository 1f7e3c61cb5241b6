import { hash } from 'node:crypto';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { keyPrefix } from '../../platform/secrets/api-key.ts';
import type { KeyRow } from './key-row.ts';
import { Principal } from './principal.ts';

export interface PrincipalsOptions {
  readonly entriesMax: number;
  /** False for a key that cannot have been made here: PostgreSQL is not asked about it. */
  readonly mayExist: (key: string) => boolean;
  /**
   * Looks a key up on the worker pool: a row, null when unknown, or a refusal when the pool cannot.
   */
  readonly verify: (key: string) => Promise<KeyRow | Refusal | null>;
}

/**
 * Unknown keys remembered, so that one wrong key sent in a loop costs one lookup, not thousands.
 */
const UNKNOWN_ENTRIES_MAX = 10_000;

const UNKNOWN_KEY = refuse(
  'invalid_api_key',
  'This API key is not known here. Check that the whole key was copied. A key is shown once and a deleted one cannot be restored: create a new one on the console’s API Keys page. A tool that was logged in has been logged out: log in again.',
);

/**
 * Verified keys of one thread, least recently used first out. Entries are named by the key's
 * SHA-256, so that a heap dump holds no key. The change feed drops an entry when its key or account
 * changes, and the unknown ones when a key is created; that is why nothing here has a lifetime of
 * its own.
 */
export class Principals {
  readonly #options: PrincipalsOptions;
  readonly #known = new Map<string, Principal>();
  /**
   * The names of entries by key id and by account id: a change costs what changed, whatever is
   * remembered.
   */
  readonly #namesByOwner = new Map<string, Set<string>>();
  /** The number of known keys by prefix. */
  readonly #knownPrefixes = new Map<string, number>();
  readonly #unknown = new Set<string>();
  readonly #pending = new Map<string, Promise<Principal | Refusal>>();
  /**
   * Grows with each invalidation: an answer that was asked for before it must not be remembered.
   */
  #generation = 0;

  constructor(options: PrincipalsOptions) {
    this.#options = options;
  }

  /** Finds the principal of a key. A cached key is answered at once, without a promise. */
  find(key: string): Principal | Refusal | Promise<Principal | Refusal> {
    // A guessed key begins like none that is known here, and is refused without the digest that
    // only these have to be found by.
    const beginsKnown = this.#knownPrefixes.has(keyPrefix(key));
    if (!beginsKnown && !this.#options.mayExist(key)) return UNKNOWN_KEY;
    const name = hash('sha256', key, 'base64');
    const known = this.#known.get(name);
    if (known !== undefined) {
      // Taken out and put back, an entry is the youngest again: a Map keeps insertion order.
      if (this.#known.size >= this.#options.entriesMax) {
        this.#known.delete(name);
        this.#known.set(name, known);
      }
      return known;
    }
    if (this.#unknown.has(name)) return UNKNOWN_KEY;
    if (beginsKnown && !this.#options.mayExist(key)) return UNKNOWN_KEY;
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    const lookup = this.#lookUp(name, key).finally(() => this.#pending.delete(name));
    this.#pending.set(name, lookup);
    return lookup;
  }

  /** Forgets what is remembered of keys and accounts, by their ids. */
  forget(ownerIds: Iterable<string>): void {
    this.#generation += 1;
    this.#unknown.clear();
    for (const ownerId of ownerIds) {
      for (const name of this.#namesByOwner.get(ownerId) ?? []) {
        const principal = this.#known.get(name);
        if (principal !== undefined) this.#drop(name, principal);
      }
    }
  }

  forgetAll(): void {
    this.#generation += 1;
    this.#unknown.clear();
    this.#known.clear();
    this.#knownPrefixes.clear();
    this.#namesByOwner.clear();
  }

  #drop(name: string, { keyPrefix: prefix, keyId, accountId }: Principal): void {
    this.#known.delete(name);
    for (const ownerId of [keyId, accountId]) {
      const names = this.#namesByOwner.get(ownerId);
      names?.delete(name);
      if (names?.size === 0) this.#namesByOwner.delete(ownerId);
    }
    const left = (this.#knownPrefixes.get(prefix) ?? 0) - 1;
    if (left > 0) this.#knownPrefixes.set(prefix, left);
    else this.#knownPrefixes.delete(prefix);
  }

  async #lookUp(name: string, key: string): Promise<Principal | Refusal> {
    const generation = this.#generation;
    const row = await this.#options.verify(key);
    if (row === null) {
      if (generation === this.#generation) this.#rememberUnknown(name);
      return UNKNOWN_KEY;
    }
    if ('refused' in row) return row;
    const principal = new Principal(row);
    if (generation === this.#generation) this.#remember(name, principal);
    return principal;
  }

  #remember(name: string, principal: Principal): void {
    const { keyPrefix: prefix, keyId, accountId } = principal;
    this.#known.set(name, principal);
    for (const ownerId of [keyId, accountId]) {
      const names = this.#namesByOwner.get(ownerId);
      if (names === undefined) this.#namesByOwner.set(ownerId, new Set([name]));
      else names.add(name);
    }
    this.#knownPrefixes.set(prefix, (this.#knownPrefixes.get(prefix) ?? 0) + 1);
    if (this.#known.size <= this.#options.entriesMax) return;
    const [oldest] = this.#known;
    if (oldest !== undefined) this.#drop(...oldest);
  }

  #rememberUnknown(name: string): void {
    if (this.#unknown.size >= UNKNOWN_ENTRIES_MAX) this.#unknown.clear();
    this.#unknown.add(name);
  }
}
