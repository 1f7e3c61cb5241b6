/**
 * A kept object is replaced after this long at the earliest, so that it has current hidden classes.
 */
const REFRESH_MS = 1_000;

/**
 * Keeps the objects of one finished request of each kind alive, and with them V8's hidden classes
 * of everything that a request is made of. V8's memory reducer visits a thread that has had little
 * to do for ten seconds and drops hidden classes without living objects, with all compiled code
 * that depends on them: the next seconds then cost half as much again (bench, short-completion in
 * turns). What is kept has no prompt and no reply: the caller wipes it first.
 */
export class HiddenClassKeeper<Kind extends string> {
  readonly #kept = new Map<Kind, { readonly object: object; readonly sinceMs: number }>();

  /** Whether an object of this kind would be kept now. */
  isDue(kind: Kind, nowMs: number): boolean {
    const kept = this.#kept.get(kind);
    return kept === undefined || nowMs - kept.sinceMs >= REFRESH_MS;
  }

  keep(kind: Kind, object: object, nowMs: number): void {
    this.#kept.set(kind, { object, sinceMs: nowMs });
  }

  /** What is kept of a kind. */
  of(kind: Kind): object | undefined {
    return this.#kept.get(kind)?.object;
  }
}
