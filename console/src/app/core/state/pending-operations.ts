import * as Type from 'typebox';
import { matchesSchema } from '../api/matches-schema';
import { memoryStorage, type Keeper } from './browser-storage';

/** The key under which they are stored, for the tab alone, so that they outlast a reload. */
export const PENDING_STORAGE_KEY = 'weir.unsure';
/**
 * The server remembers a key for 7 days; from then on a repeat would be done again under any key.
 */
const AGE_MS_MAX = 7 * 24 * 60 * 60 * 1_000;
/** The oldest make room: so many lost answers in one tab are a broken server. */
const ACTS_MAX = 50;

const Act = Type.Object({ digest: Type.String(), key: Type.String(), sinceMs: Type.Number() });
const Stored = Type.Object({ userId: Type.String(), acts: Type.Array(Act) });
type Acts = readonly Type.Static<typeof Act>[];

/**
 * Acts whose outcome is unknown, each with its key, until it is known. What an act was about is not
 * kept, only a digest of it. Those of another user are not found.
 */
export class PendingOperations {
  readonly #storage: Keeper;
  readonly #userId: () => string;
  readonly #now: () => number;
  #known: Acts | undefined;

  constructor(
    storage: Keeper = memoryStorage(),
    userId: () => string = () => '',
    now: () => number = () => Date.now(),
  ) {
    this.#storage = storage;
    this.#userId = userId;
    this.#now = now;
  }

  keyOf(content: string): string | undefined {
    const digest = digestOf(content);
    return this.#acts().find((act) => act.digest === digest)?.key;
  }

  keep(content: string, key: string): void {
    const others = this.#without(content);
    const act = { digest: digestOf(content), key, sinceMs: this.#now() };
    this.#write([...others, act].slice(-ACTS_MAX));
  }

  /** Its fate is known. */
  drop(content: string): void {
    const others = this.#without(content);
    if (others.length < this.#acts().length) this.#write(others);
  }

  any(): boolean {
    return this.#acts().length > 0;
  }

  forget(): void {
    this.#known = undefined;
    this.#storage.removeItem(PENDING_STORAGE_KEY);
  }

  #without(content: string): Acts {
    const digest = digestOf(content);
    return this.#acts().filter((act) => act.digest !== digest);
  }

  #acts(): Acts {
    this.#known ??= this.#read();
    return this.#known.filter(({ sinceMs }) => this.#now() - sinceMs < AGE_MS_MAX);
  }

  #read(): Acts {
    const stored = parsed(this.#storage.getItem(PENDING_STORAGE_KEY));
    return matchesSchema(Stored, stored) && stored.userId === this.#userId() ? stored.acts : [];
  }

  #write(acts: Acts): void {
    this.#known = acts;
    try {
      const stored = JSON.stringify({ userId: this.#userId(), acts });
      this.#storage.setItem(PENDING_STORAGE_KEY, stored);
    } catch {
      // A full storage: they are known until the page is left.
    }
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

/**
 * FNV-1a of 64 bits: browsers offer no digest at once, and none without https. Two contents that
 * have the same would share a key, and the server refuses it for the second.
 */
function digestOf(content: string): string {
  let digest = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(content)) {
    digest = BigInt.asUintN(64, (digest ^ BigInt(byte)) * 0x100000001b3n);
  }
  return digest.toString(16);
}
