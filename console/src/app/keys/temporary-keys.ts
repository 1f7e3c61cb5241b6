import type { ApiPort } from '../core/api/call-input';

/** A temporary value is renewed when less than this is left of its hour. */
const RENEW_BEFORE_MS = 60_000;

interface TemporaryValue {
  readonly value: string;
  readonly worksUntilMs: number;
}

/**
 * Second values of keys that work for an hour, for the playground. Kept for the visit: the server
 * makes so many for a key and no more, and a user who comes back often would be refused. In memory
 * alone, as fresh keys are.
 */
export class TemporaryKeys {
  readonly #api: ApiPort;
  readonly #now: () => number;
  readonly #values = new Map<string, TemporaryValue>();

  constructor(api: ApiPort, now: () => number = () => Date.now()) {
    this.#api = api;
    this.#now = now;
  }

  async valueOf(keyId: string): Promise<string> {
    const known = this.#values.get(keyId);
    if (known !== undefined && known.worksUntilMs - this.#now() > RENEW_BEFORE_MS) {
      return known.value;
    }
    const made = await this.#api.call('createTemporaryKeyValue', { params: { keyId } });
    this.#values.set(keyId, { value: made.value, worksUntilMs: Date.parse(made.worksUntil) });
    return made.value;
  }

  forget(): void {
    this.#values.clear();
  }
}
