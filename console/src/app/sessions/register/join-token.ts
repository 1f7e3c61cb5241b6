import { Service } from '@angular/core';

/** The token of an invitation while its holder logs in. In memory alone: it is a secret. */
@Service()
export class JoinToken {
  #token: string | undefined;

  keep(token: string): void {
    this.#token = token;
  }

  take(): string | undefined {
    const token = this.#token;
    this.#token = undefined;
    return token;
  }
}
