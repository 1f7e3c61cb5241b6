import { computed } from '@angular/core';
import { ChannelCreate } from '@weir/shared/catalog/channels';
import type { GroupView } from '@weir/shared/catalog/groups';
import type { ApiPort } from '../../core/api/call-input';
import { several } from '../../core/forms/controls';
import { namedOptions } from '../../core/i18n/options';
import { Loadable } from '../../core/state/loadable';
import { weirList } from '../price-lists/weir-list';
import { Offers } from './offers/offers';

/** The models of an upstream that are sold, and their groups. */
export class Sale {
  readonly #api: ApiPort;
  readonly offers = new Offers();
  readonly groupIds = several(ChannelCreate.properties.sellInGroupIds);
  readonly groups: Loadable<readonly GroupView[]>;
  readonly groupOptions = computed(() => namedOptions(this.groups.value()));
  /** No one could use new models that are in no group. */
  readonly needsGroup = computed(() => this.offers.tickedNew().length > 0);

  constructor(api: ApiPort) {
    this.#api = api;
    this.groups = new Loadable(async () => (await api.call('listGroups')).data);
    this.groupIds.addValidators(({ value }) =>
      this.needsGroup() && (value as readonly string[]).length === 0 ? { required: true } : null,
    );
  }

  async load(): Promise<void> {
    await Promise.all([
      this.groups.load(),
      this.#api.call('listListPrices').then(
        ({ data }) => this.offers.useList(weirList(data)),
        // Without the list there are no proposals; everything else works.
        () => undefined,
      ),
    ]);
    const groups = (this.groups.value() ?? []).filter(({ status }) => status === 'active');
    const [first] = groups;
    if (groups.length === 1 && first !== undefined) this.groupIds.setValue([first.id]);
  }
}
