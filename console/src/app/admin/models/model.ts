import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { Router } from '@angular/router';
import type { ModelView } from '@weir/shared/catalog/models';
import type { MeterPricesView } from '@weir/shared/prices/price-fields';
import { Api } from '../../core/api/api';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { isPerToken, labelledPrices, type LabelledPrice } from '../../core/i18n/meter-label';
import { Loadable } from '../../core/state/loadable';
import { Toasts } from '../../design/feedback/toasts';
import { PAGE_PARTS } from '../../design/page/page-parts';
import { ObjectPage } from '../../object/object-page';
import { operatorSource } from '../../object/object-source';
import { AccountPrices } from '../accounts/prices/account-prices';
import { ObjectHistory } from '../history/object-history';
import { HEALTH_WORDS } from '../overview/overview-state';
import { ModelActions } from './model-actions';

/** One model: who serves it, who may use it, what it costs. */
@Component({
  selector: 'weir-admin-model',
  imports: [AccountPrices, ObjectHistory, ObjectPage, PAGE_PARTS],
  templateUrl: './model.html',
})
export class AdminModel {
  readonly #api = inject(Api);
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly health = HEALTH_WORDS;

  /** Route parameter. */
  readonly modelId = input.required<string>();

  protected readonly state = new Loadable(() =>
    this.#api.call('getModel', { params: { modelId: this.modelId() } }),
  );
  /** The sums and the request log name models by public ID. */
  protected readonly source = computed(() => {
    const model = this.state.value()?.publicId;
    return model === undefined ? undefined : operatorSource(this.#api, { model });
  });
  readonly #channels = new Loadable(async () => (await this.#api.call('listChannels')).data);
  readonly #groups = new Loadable(async () => (await this.#api.call('listGroups')).data);
  /** Also those that are switched off, and so do not serve it now. */
  protected readonly channels = computed(() =>
    (this.#channels.value() ?? []).filter(({ models }) =>
      models.some(({ modelId }) => modelId === this.state.value()?.id),
    ),
  );
  protected readonly groups = computed(() =>
    (this.#groups.value() ?? []).filter(({ id }) => this.state.value()?.groupIds.includes(id)),
  );
  protected readonly isPerToken = isPerToken;
  protected readonly actions = new ModelActions({
    fetch: (modelId) => this.#api.callTagged('getModel', { params: { modelId } }),
    delete: ({ id: modelId }) => this.#api.call('deleteModel', { params: { modelId } }),
    onChanged: (model) => this.state.set(model),
  });

  constructor() {
    void this.#channels.load();
    void this.#groups.load();
    effect(() => {
      this.modelId();
      untracked(() => void this.state.load());
    });
  }

  protected meterPrices(prices: MeterPricesView): readonly LabelledPrice[] {
    return labelledPrices(this.t, prices);
  }

  protected upstreamName(models: readonly { modelId: string; upstreamName: string }[]): string {
    return models.find(({ modelId }) => modelId === this.state.value()?.id)?.upstreamName ?? '';
  }

  protected async toggle(model: ModelView): Promise<void> {
    const status = model.status === 'active' ? 'disabled' : 'active';
    await this.#toasts.reporting(async () => {
      const call = { params: { modelId: model.id }, ifMatch: '*', body: { status } } as const;
      this.state.set(await this.#api.call('updateModel', call));
    });
  }

  protected async remove(model: ModelView): Promise<void> {
    if (await this.actions.delete(model)) await this.#router.navigateByUrl('/admin/models');
  }
}
