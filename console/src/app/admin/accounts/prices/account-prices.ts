import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import type { AccountPriceView } from '@weir/shared/prices/account-prices';
import { Api } from '../../../core/api/api';
import { Formatter } from '../../../core/format/formatter';
import { I18n } from '../../../core/i18n/i18n';
import { isPerToken, labelledPrices } from '../../../core/i18n/meter-label';
import { Session } from '../../../core/session/session';
import { FirstRows } from '../../../core/state/first-rows';
import { Loadable } from '../../../core/state/loadable';
import { Dialogs } from '../../../design/dialog/dialogs';
import { Toasts } from '../../../design/feedback/toasts';
import { PAGE_PARTS } from '../../../design/page/page-parts';
import type { RowAct } from '../../../design/table/row-menu';
import type { AccountPriceData } from './account-price-dialog';

type ModelPricesView = NonNullable<AccountPriceView['prices']>;

/**
 * Prices that accounts have in place of those of all, in force or to come: those of one account for
 * its models, or those of all accounts for one model.
 */
@Component({
  selector: 'weir-account-prices',
  imports: [PAGE_PARTS],
  templateUrl: './account-prices.html',
})
export class AccountPrices {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #formatter = inject(Formatter);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);

  readonly of = input.required<{ readonly accountId: string } | { readonly modelId: string }>();
  /** Not those of an account that was deleted. */
  readonly editable = input(true);

  protected readonly mayChange = computed(
    () => this.editable() && this.session.may('createAccountPrice'),
  );
  /** The account that they are of; undefined on a model's page. */
  protected readonly accountId = computed(() => {
    const of = this.of();
    return 'accountId' in of ? of.accountId : undefined;
  });
  protected readonly prices = new Loadable(async () => {
    const of = this.of();
    const { data } =
      'accountId' in of
        ? await this.#api.call('listAccountPrices', { params: of })
        : await this.#api.call('listModelAccountPrices', { params: of });
    return data;
  });
  /** Past prices are in the account's history; a price that has ended applies no more. */
  protected readonly rows = computed(() =>
    (this.prices.value() ?? []).filter(
      ({ state, prices }) => state === 'future' || (state === 'in_force' && prices !== null),
    ),
  );

  protected readonly first = new FirstRows();
  protected readonly acts: readonly RowAct<AccountPriceView>[] = [
    { icon: 'edit', label: 'groups.ownPriceAction', run: (row) => this.#change(row) },
    {
      icon: 'trash',
      label: 'prices.takeBack',
      when: ({ state }) => state === 'future',
      run: (row) => this.#withdraw(row),
    },
  ];

  constructor() {
    effect(() => {
      this.of();
      untracked(() => void this.prices.load());
    });
  }

  /** Returns the prices in words: those of tokens, or the one that the model is sold by. */
  protected textOf({ inputUsd, outputUsd, extra }: ModelPricesView): string {
    const price = (usd: string): string => this.#formatter.price(usd);
    if (isPerToken(extra)) {
      return this.t('accountPrices.prices', { input: price(inputUsd), output: price(outputUsd) });
    }
    return labelledPrices(this.t, extra)
      .map(({ label, usd }) => `${label} ${price(usd)}`)
      .join(', ');
  }

  /** Opens the form for a price, or for a model that is chosen there. */
  protected async open(data: AccountPriceData): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { AccountPriceDialog } = await import('./account-price-dialog');
      const done = await this.#dialogs.open<AccountPriceData, boolean>(AccountPriceDialog, {
        data,
      });
      if (done === true) await this.prices.load();
    });
  }

  #change({ accountId, accountName, modelId, publicId, prices, listPrices }: AccountPriceView) {
    const model = { modelId, publicId, prices: prices ?? listPrices };
    return this.open({ accountId, accountName, model, canEnd: prices !== null });
  }

  async #withdraw({ accountId, modelId, effectiveFrom }: AccountPriceView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const params = { accountId, modelId, effectiveFrom };
      await this.#api.call('deleteAccountPrice', { params });
      await this.prices.load();
    });
  }
}
