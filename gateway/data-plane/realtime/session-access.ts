import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { refuseGroup } from '../../catalog/refuse-group.ts';
import { usableOffer } from '../../catalog/refuse-model.ts';
import { refuseStatus } from '../admission/refuse-hold.ts';
import type { Principal } from '../authentication/principal.ts';
import { refuseAddress } from '../authentication/refuse-address.ts';
import { refuseMember } from '../authentication/refuse-member.ts';
import type { ThreadContext } from '../thread-context.ts';

/** The request that has opened the session. */
export interface SessionKey {
  readonly key: string;
  readonly address: string;
  readonly model: string;
}

/**
 * The right to a session, which may end while it is open: a revoked key, an allowlist that has
 * changed. What costs money is checked by each hold besides.
 */
export class SessionAccess {
  readonly #context: ThreadContext;
  readonly #asked: SessionKey;
  #principal: Principal;
  #catalog: Catalog;
  #isAsking = false;

  constructor(context: ThreadContext, asked: SessionKey, principal: Principal) {
    this.#context = context;
    this.#asked = asked;
    this.#principal = principal;
    this.#catalog = context.state.catalog;
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** Calls back when the session may not go on; a key that has to be looked up takes a while. */
  check(onRefused: (refusal: Refusal) => void): void {
    if (this.#isAsking) return;
    const found = this.#context.principals.find(this.#asked.key);
    if (!(found instanceof Promise)) {
      const refused = this.#judge(found);
      if (refused !== undefined) onRefused(refused);
      return;
    }
    this.#isAsking = true;
    void found
      .then((late) => {
        const refused = this.#judge(late);
        if (refused !== undefined) onRefused(refused);
      })
      // The stores are away: that says nothing about the key.
      .catch(() => undefined)
      .finally(() => (this.#isAsking = false));
  }

  #judge(found: Principal | Refusal): Refusal | undefined {
    // A key that cannot be looked up now is not revoked.
    if (isRefusal(found)) return found.refused === 'invalid_api_key' ? found : undefined;
    const { catalog } = this.#context.state;
    const payer = found.payer(catalog);
    if (found === this.#principal && catalog === this.#catalog) return refuseStatus(payer);
    this.#principal = found;
    this.#catalog = catalog;
    const { address, model } = this.#asked;
    if (!found.allowsAddress(address)) return refuseAddress(address);
    const refused = refuseMember(found) ?? refuseGroup(catalog, found) ?? refuseStatus(payer);
    if (refused !== undefined) return refused;
    const offer = usableOffer(catalog, found, model);
    return isRefusal(offer) ? offer : undefined;
  }
}
