import { signal, type WritableSignal } from '@angular/core';
import type { GroupView } from '@weir/shared/catalog/groups';
import type { ModelSort, ModelUpdate, ModelView } from '@weir/shared/catalog/models';
import type { PriceCreate } from '@weir/shared/prices/prices';
import type { ApiPort, Tagged } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import { RowList } from '../../core/state/row-list';
import { Selection } from '../../core/state/selection';

/** The catalog's models, their prices in force, and changing them. */
export class ModelsState {
  readonly #api: ApiPort;
  readonly search: WritableSignal<string>;
  readonly status: WritableSignal<'active' | 'disabled' | ''>;
  readonly groupId: WritableSignal<string>;
  readonly order = signal<ModelSort>('order');
  readonly list: RowList<ModelView>;
  readonly groups: Loadable<readonly GroupView[]>;
  readonly selection: Selection<ModelView>;

  /** @param filters Those of the page's address. */
  constructor(api: ApiPort, filters: Pick<ModelsState, 'search' | 'status' | 'groupId'>) {
    this.#api = api;
    this.search = filters.search;
    this.status = filters.status;
    this.groupId = filters.groupId;
    this.list = new RowList((cursor) =>
      api.call('listModels', { query: { ...this.filters(), sort: this.order(), cursor } }),
    );
    this.selection = new Selection(this.list, {
      idOf: ({ id }) => id,
      nameOf: ({ publicId }) => publicId,
    });
    this.groups = new Loadable(async () => (await api.call('listGroups')).data);
  }

  filters() {
    return {
      search: this.search(),
      groupId: this.groupId(),
      status: this.status(),
    };
  }

  fetch(modelId: string): Promise<Tagged<ModelView>> {
    return this.#api.callTagged('getModel', { params: { modelId } });
  }

  /** One thing about it, whatever else was changed meanwhile. */
  async change(modelId: string, body: ModelUpdate): Promise<void> {
    const params = { modelId };
    const updated = await this.#api.call('updateModel', { params, ifMatch: '*', body });
    this.list.replace(updated);
  }

  /**
   * A price from now on. The row shows what the reply says: were the model read again, a failure of
   * that would pass for one of the price, which is set.
   */
  async setPrice(model: ModelView, price: PriceCreate): Promise<void> {
    const params = { modelId: model.id };
    const {
      modelId: _model,
      state: _now,
      createdAt: _time,
      ...inForce
    } = await this.#api.call('createPrice', { params, body: price });
    this.list.replace({ ...model, price: inForce });
  }

  async delete(model: ModelView): Promise<void> {
    await this.#api.call('deleteModel', { params: { modelId: model.id } });
    this.list.remove(model);
  }
}
