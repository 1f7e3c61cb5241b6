import { computed, signal } from '@angular/core';
import type { SavedViewView, ViewList } from '@weir/shared/watch/saved-views';
import type { ApiPort } from '../core/api/call-input';
import { Loadable } from '../core/state/loadable';

/** The reader's saved views of one list, and which of them is shown. */
export class ViewsState {
  readonly #api: ApiPort;
  readonly #list: () => ViewList;
  readonly #views: Loadable<readonly SavedViewView[]>;
  readonly #openedId = signal('');
  /** The filters of the moment, as `viewQuery` writes them. */
  readonly query: () => string;

  readonly views = computed(() => this.#views.value() ?? []);
  readonly failure = computed(() => this.#views.failure());
  /** The view whose filters are those of the moment. */
  readonly active = computed(() => this.views().find(({ query }) => query === this.query()));
  /** The view that was opened last and has other filters than those of the moment. */
  readonly changed = computed(() => {
    const opened = this.views().find(({ id }) => id === this.#openedId());
    return this.active() === undefined && this.query() !== '' ? opened : undefined;
  });

  constructor(api: ApiPort, list: () => ViewList, query: () => string) {
    this.#api = api;
    this.#list = list;
    this.query = query;
    this.#views = new Loadable(
      async () => (await api.call('listSavedViews', { query: { list: list() } })).data,
    );
  }

  load(): Promise<void> {
    return this.#views.load();
  }

  noteOpened(view: SavedViewView): void {
    this.#openedId.set(view.id);
  }

  async create(name: string): Promise<SavedViewView> {
    const body = { list: this.#list(), name, query: this.query() };
    const view = await this.#api.call('createSavedView', { body });
    this.noteOpened(view);
    await this.load();
    return view;
  }

  async rename({ id }: SavedViewView, name: string): Promise<SavedViewView> {
    const params = { savedViewId: id };
    const view = await this.#api.call('updateSavedView', { params, body: { name } });
    await this.load();
    return view;
  }

  /** Gives the view the filters of the moment. */
  async replaceFilters({ id }: SavedViewView): Promise<void> {
    const params = { savedViewId: id };
    await this.#api.call('updateSavedView', { params, body: { query: this.query() } });
    await this.load();
  }

  async delete({ id }: SavedViewView): Promise<void> {
    await this.#api.call('deleteSavedView', { params: { savedViewId: id } });
    await this.load();
  }
}
