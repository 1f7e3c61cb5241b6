import { signal } from '@angular/core';
import type { AccountListItem } from '@weir/shared/people/accounts';
import type { ApiPort } from '../../../core/api/call-input';
import { RowList } from '../../../core/state/row-list';

/** More are not read; another letter is typed instead. */
const FOUND_MAX = 8;
/** Typing pauses before the API is asked. */
const PAUSE_MS = 200;

/**
 * Finds an account by what people know of it: part of its name or of an e-mail address, or its id.
 */
export class AccountFinder {
  readonly #api: ApiPort;
  readonly #text = signal('');
  readonly found: RowList<AccountListItem>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: ApiPort) {
    this.#api = api;
    this.found = new RowList(() => {
      const search = this.#text();
      const query = { limit: FOUND_MAX, ...(search === '' ? {} : { search }) };
      return api.call('listAccounts', { query });
    });
  }

  /** Asks at once. */
  async find(text: string): Promise<void> {
    clearTimeout(this.#timer);
    this.#text.set(text.trim());
    await this.found.load();
  }

  /** Asks once the typing pauses. */
  type(text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.find(text), PAUSE_MS);
  }

  /** Undefined when there is none, or when the API cannot say. */
  async byId(id: string): Promise<AccountListItem | undefined> {
    try {
      const { data } = await this.#api.call('listAccounts', { query: { search: id, limit: 1 } });
      return data.find((account) => account.id === id);
    } catch {
      return undefined;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** What stands in a field: words while someone types, then the account that was chosen. */
export function nameOf(shown: string | AccountListItem): string {
  return typeof shown === 'string' ? shown : shown.name;
}

/** What tells an account from another of the same name. */
export function emailOf({ name, emails }: AccountListItem): string {
  const email = emails[0] ?? '';
  return email === name ? '' : email;
}
