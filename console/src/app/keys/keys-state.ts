import { signal, type WritableSignal } from '@angular/core';
import type { ContentPolicyView } from '@weir/shared/watch/content-log';
import type { KeySort, KeyView } from '@weir/shared/people/keys';
import type { ApiPort, Tagged } from '../core/api/call-input';
import { RowList } from '../core/state/row-list';
import { Selection } from '../core/state/selection';

/** The keys of the account: the list, its filters, and what can be done to a key. */
export class KeysState {
  readonly #api: ApiPort;
  readonly search: WritableSignal<string>;
  readonly status: WritableSignal<'active' | 'disabled' | ''>;
  readonly order = signal<KeySort>('-created');
  readonly list: RowList<KeyView>;
  readonly selection: Selection<KeyView>;

  /** @param filters Those of the page's address. */
  constructor(api: ApiPort, filters: Pick<KeysState, 'search' | 'status'>) {
    this.#api = api;
    this.search = filters.search;
    this.status = filters.status;
    this.list = new RowList((cursor) =>
      api.call('listKeys', { query: { ...this.filters(), sort: this.order(), cursor } }),
    );
    this.selection = new Selection(this.list, {
      idOf: ({ id }) => id,
      nameOf: ({ name }) => name,
    });
  }

  filters() {
    return { search: this.search(), status: this.status() };
  }

  /**
   * Shows the switch in its new place at once and puts it back when the server refuses. The version
   * is not asked for: "disabled" means the same whatever else was edited.
   */
  async setStatus(key: KeyView, status: 'active' | 'disabled'): Promise<void> {
    this.list.replace({ ...key, status });
    try {
      const updated = await this.#api.call('updateKey', {
        params: { keyId: key.id },
        ifMatch: '*',
        body: { status },
      });
      this.list.replace(updated);
    } catch (thrown) {
      this.list.replace(key);
      throw thrown;
    }
  }

  async delete(key: KeyView): Promise<void> {
    await this.#api.call('deleteKey', { params: { keyId: key.id } });
    this.list.remove(key);
  }

  /** The key with its version, for editing. */
  fetch(keyId: string): Promise<Tagged<KeyView>> {
    return this.#api.callTagged('getKey', { params: { keyId } });
  }

  policy(): Promise<ContentPolicyView> {
    return this.#api.call('getContentPolicy');
  }

  onChanged(key: KeyView): void {
    this.list.replace(key);
  }

  onCreated(key: KeyView): void {
    this.list.prepend(key);
  }
}
