import { ADDRCONFIG, lookup, type LookupAddress } from 'node:dns';

/**
 * The time for which an answer serves further connections: a burst asks once, and a name that moves
 * is followed soon.
 */
const ANSWER_MS = 5_000;

export type AddressesCallback = (
  error: NodeJS.ErrnoException | null,
  addresses: readonly LookupAddress[],
) => void;

/** The addresses of upstreams by name. It asks once for all who want to know at the same time. */
export class HostAddresses {
  readonly #ask: typeof askSystem;
  readonly #waiting = new Map<string, AddressesCallback[]>();
  readonly #answers = new Map<string, readonly LookupAddress[]>();

  constructor(ask = askSystem) {
    this.#ask = ask;
  }

  /**
   * Without sharing, each connection asks for itself, and a time-out that gives the connection up
   * leaves its question in the queue. libuv asks two at a time for the whole process: connections
   * to one name whose server does not answer would keep all other upstreams from being looked up
   * for minutes.
   */
  find(hostname: string, callback: AddressesCallback): void {
    const known = this.#answers.get(hostname);
    if (known !== undefined) {
      // Callers rely on an answer after the call, never within it.
      setImmediate(callback, null, known);
      return;
    }
    const waiting = this.#waiting.get(hostname);
    if (waiting !== undefined) {
      waiting.push(callback);
      return;
    }
    this.#waiting.set(hostname, [callback]);
    this.#ask(hostname, (error, addresses) => this.#answer(hostname, error, addresses));
  }

  #answer(
    hostname: string,
    error: NodeJS.ErrnoException | null,
    addresses: readonly LookupAddress[],
  ): void {
    const waiting = this.#waiting.get(hostname) ?? [];
    this.#waiting.delete(hostname);
    if (error === null) {
      this.#answers.set(hostname, addresses);
      setTimeout(() => this.#answers.delete(hostname), ANSWER_MS).unref();
    }
    for (const callback of waiting) callback(error, addresses);
  }
}

function askSystem(hostname: string, callback: AddressesCallback): void {
  // As Node's own connections ask: a machine without IPv6 is not given, and does not try, IPv6
  // addresses.
  const options = { all: true, hints: ADDRCONFIG } as const;
  // With an error Node names no addresses at all, whatever its types say.
  lookup(hostname, options, (error, found) => callback(error, error === null ? found : []));
}
