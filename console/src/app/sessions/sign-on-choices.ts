import { signal } from '@angular/core';
import type { SignOnChoice, SignOnLookupResult } from '@weir/shared/people/sign-on';
import type { ApiPort } from '../core/api/call-input';
import { Loadable } from '../core/state/loadable';

const DOMAIN = /@[^@\s]+\.[^@\s.]{2,}$/;

/** The ways to sign on: the providers that are offered, and the one of an address's domain. */
export class SignOnChoices {
  readonly #api: ApiPort;
  readonly offered: Loadable<readonly SignOnChoice[]>;
  readonly ofDomain = signal<SignOnLookupResult>({ provider: null, onlySignOn: false });
  #asked = '';

  constructor(api: ApiPort) {
    this.#api = api;
    this.offered = new Loadable(async () => (await api.call('listSignOnChoices')).data);
    void this.offered.load();
  }

  /** The offered providers, without the one that is shown for the domain already. */
  others(): readonly SignOnChoice[] {
    const slug = this.ofDomain().provider?.slug;
    return (this.offered.value() ?? []).filter((choice) => choice.slug !== slug);
  }

  /** Asks how people of the address's domain log in. Only the domain is sent. */
  async lookUp(email: string): Promise<void> {
    const domain = DOMAIN.exec(email.trim())?.[0].toLowerCase() ?? '';
    if (domain === this.#asked) return;
    this.#asked = domain;
    const found =
      domain === ''
        ? { provider: null, onlySignOn: false }
        : await this.#api
            .call('lookUpSignOn', { body: { email: `anyone${domain}` } })
            .catch(() => ({ provider: null, onlySignOn: false }));
    // The address may be another one by now.
    if (this.#asked === domain) this.ofDomain.set(found);
  }
}
