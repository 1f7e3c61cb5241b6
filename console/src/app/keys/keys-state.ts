import { signal } from '@angular/core';
import type { KeyListQuery, KeyView } from '@weir/shared/keys';
import type { ApiPort } from '../core/api/call-input';
import { Loadable } from '../core/state/loadable';
import { RowList } from '../core/state/row-list';

/** The keys of the account: the list, its filters, and what can be done to a key. */
export class KeysState {
  readonly #api: ApiPort;
  readonly search = signal('');
  readonly status = signal('');
  readonly list: RowList<KeyView>;
  readonly groups: Loadable<readonly { readonly id: string; readonly name: string }[]>;

  constructor(api: ApiPort) {
    this.#api = api;
    this.list = new RowList((cursor) => api.call('listKeys', { query: this.#query(cursor) }));
    this.groups = new Loadable(async () => (await api.call('listGroups')).data);
  }

  #query(cursor: string | undefined): KeyListQuery {
    const search = this.search();
    const status = this.status();
    return {
      ...(cursor === undefined ? {} : { cursor }),
      ...(search === '' ? {} : { search }),
      ...(status === 'active' || status === 'disabled' ? { status } : {}),
    };
  }

  /**
   * Shows the switch in its new place at once and puts it back when the server refuses. The version
   * is not asked for: "disabled" means the same whatever else was edited.
   */
  async setStatus(key: KeyView, status: 'active' | 'disabled'): Promise<void> {
    const isIt = (row: KeyView): boolean => row.id === key.id;
    this.list.replace(isIt, { ...key, status });
    try {
      const updated = await this.#api.call('updateKey', {
        params: { keyId: key.id },
        ifMatch: '*',
        body: { status },
      });
      this.list.replace(isIt, updated);
    } catch (thrown) {
      this.list.replace(isIt, key);
      throw thrown;
    }
  }

  async delete(key: KeyView): Promise<void> {
    await this.#api.call('deleteKey', { params: { keyId: key.id } });
    this.list.remove(({ id }) => id === key.id);
  }

  /** The key with its version, for editing. */
  fetch(keyId: string): Promise<{ readonly value: KeyView; readonly etag: string }> {
    return this.#api.callTagged('getKey', { params: { keyId } });
  }

  onChanged(key: KeyView): void {
    this.list.replace(({ id }) => id === key.id, key);
  }

  onCreated(key: KeyView): void {
    this.list.prepend(key);
  }
}
