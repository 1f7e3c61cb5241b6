/** The limits of one thread. */
export interface WebSocketLimits {
  readonly connectionsMax: number;
  readonly connectionsPerAccountMax: number;
  /** Memory for what connections keep between their requests. */
  readonly keptBytesMax: number;
}

/** The WebSockets that are open in one thread. */
export class WebSockets {
  readonly #limits: WebSocketLimits;
  readonly #byAccount = new Map<string, number>();
  #count = 0;
  #keptBytes = 0;

  constructor(limits: WebSocketLimits) {
    this.#limits = limits;
  }

  /** Reports whether an account may open another connection. */
  mayOpen(accountId: string): boolean {
    const { connectionsMax, connectionsPerAccountMax } = this.#limits;
    const own = this.#byAccount.get(accountId) ?? 0;
    return this.#count < connectionsMax && own < connectionsPerAccountMax;
  }

  add({ accountId }: { readonly accountId: string }): void {
    this.#count += 1;
    this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
  }

  remove({ accountId }: { readonly accountId: string }): void {
    this.#count -= 1;
    const left = (this.#byAccount.get(accountId) ?? 0) - 1;
    if (left > 0) this.#byAccount.set(accountId, left);
    else this.#byAccount.delete(accountId);
  }

  /**
   * Counts what one connection keeps.
   * @returns false, and counts nothing, where there is no memory for it
   */
  replaceKept(beforeBytes: number, bytes: number): boolean {
    const keptBytes = this.#keptBytes - beforeBytes + bytes;
    if (bytes > beforeBytes && keptBytes > this.#limits.keptBytesMax) return false;
    this.#keptBytes = keptBytes;
    return true;
  }
}
