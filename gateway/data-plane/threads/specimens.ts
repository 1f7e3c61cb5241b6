/** A specimen is replaced after this long at the earliest: the newest shows the shapes that objects have now. */
const RENEWED_MS = 1_000;

/**
 * Keeps the objects of one request of each kind alive, and with them V8's hidden classes of everything that a request is made
 * of. A thread that has had little to do for ten seconds is visited by V8's memory reducer, which drops hidden classes
 * that no object has just then, with all compiled code that counts on them: a gateway that nobody had asked for half a
 * minute compiled 250 functions anew and served its next seconds at half speed.
 */
export class Specimens<Kind extends string> {
  readonly #kept = new Map<Kind, { readonly object: object; readonly sinceMs: number }>();

  /** Offers an object that leads to all others of its request. What it refers to stays in memory until the next of its kind. */
  offer(kind: Kind, object: object, nowMs: number): void {
    const kept = this.#kept.get(kind);
    if (kept !== undefined && nowMs - kept.sinceMs < RENEWED_MS) return;
    this.#kept.set(kind, { object, sinceMs: nowMs });
  }

  of(kind: Kind): object | undefined {
    return this.#kept.get(kind)?.object;
  }
}
