/** Temporary keys, as the security token service and the machine's endpoints hand them out. */
import { SECRET_ACCESS_KEY, SESSION_KEY_ID, SESSION_TOKEN } from './verify-request.ts';

/** The shortest life of an assumed role. */
const LIFETIME_MS = 15 * 60_000;

export class SessionIssuer {
  /** Sessions since the start. */
  issued = 0;
  /** Epoch milliseconds; tests set it. */
  now: () => number = () => Date.now();
  /** The end of the session that was issued last, in epoch milliseconds. */
  latestExpiryMs = 0;
  readonly #expiries = new Map([[SESSION_TOKEN, Infinity]]);

  /** Returns the reply of a container's endpoint. */
  issue(): object {
    this.issued += 1;
    const token = `IQoJb3JpZ2luX2Vj${String(this.issued)}==`;
    const expiry = this.now() + LIFETIME_MS;
    this.#expiries.set(token, expiry);
    this.latestExpiryMs = expiry;
    return {
      AccessKeyId: SESSION_KEY_ID,
      SecretAccessKey: SECRET_ACCESS_KEY,
      Token: token,
      Expiration: new Date(expiry).toISOString(),
    };
  }

  stateOf(token: string): 'valid' | 'expired' | 'unknown' {
    const expiry = this.#expiries.get(token);
    if (expiry === undefined) return 'unknown';
    return expiry > this.now() ? 'valid' : 'expired';
  }

  /** All that was issued has expired before its time. */
  expireAll(): void {
    for (const token of this.#expiries.keys()) this.#expiries.set(token, 0);
  }

  /** All that was issued is not known any more. */
  forgetAll(): void {
    this.#expiries.clear();
  }
}
