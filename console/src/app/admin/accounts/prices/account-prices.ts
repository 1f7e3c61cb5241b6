import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import type { AccountPriceView } from '@weir/shared/prices/account-prices';
import { Api } from '../../../core/api/api';
import { Formatter } from '../../../core/format/formatter';
import { I18n } from '../../../core/i18n/i18n';
import { Session } from '../../../core/session/session';
import { Loadable } from '../../../core/state/loadable';
import { Dialogs } from '../../../design/dialog/dialogs';
import { Toasts } from '../../../design/feedback/toasts';
import { PAGE_PARTS } from '../../../design/page/page-parts';
import type { RowAct } from '../../../design/table/row-menu';
import type { AccountPriceData } from './account-price-dialog';

/** The prices of models that an account has in place of those of all, in force or to come. */
@Component({
  selector: 'weir-account-prices',
  imports: [PAGE_PARTS],
  template: `
    <section class="card card-flush" data-testid="own-prices">
      <div class="card-head split">
        <h2>{{ t('accountPrices.title') }}</h2>
        @if (mayChange()) {
          <button matButton type="button" data-testid="add-price" (click)="open()">
            {{ t('prices.set') }}
          </button>
        }
      </div>
      @if (prices.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="prices.load()" />
      }
      <div class="rows top-line">
        @for (row of rows(); track row.modelId + row.effectiveFrom) {
          <div class="split">
            <div>
              <p class="strong">
                @if (session.may('getModel')) {
                  <a class="row-link" [routerLink]="['/admin/models', row.modelId]">{{
                    row.publicId
                  }}</a>
                } @else {
                  {{ row.publicId }}
                }
              </p>
              @if (row.prices; as own) {
                <p class="small soft">
                  {{ t('accountPrices.prices', textOf(own)) }}
                  @if (row.listPrices; as listed) {
                    · {{ t('accountPrices.listed', textOf(listed)) }}
                  }
                </p>
              } @else {
                <p class="small soft">{{ t('accountPrices.ends') }}</p>
              }
            </div>
            <span class="cluster">
              @if (row.state === 'future') {
                <span class="small soft"><weir-time [at]="row.effectiveFrom" as="moment" /></span>
              }
              <weir-chip [tone]="row.state === 'future' ? 'brand' : 'good'">{{
                t(row.state === 'future' ? 'priceState.future' : 'priceState.in_force')
              }}</weir-chip>
              @if (mayChange()) {
                <weir-row-menu [row]="row" [name]="row.publicId" [acts]="acts" />
              }
            </span>
          </div>
        } @empty {
          <p class="soft">{{ t('accountPrices.none') }}</p>
        }
      </div>
    </section>
  `,
})
export class AccountPrices {
  readonly #api = inject(Api);
  readonly #dialogs = inject(Dialogs);
  readonly #formatter = inject(Formatter);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly session = inject(Session);

  readonly accountId = input.required<string>();
  /** Not those of an account that was deleted. */
  readonly editable = input(true);

  protected readonly mayChange = computed(
    () => this.editable() && this.session.may('createAccountPrice'),
  );
  protected readonly prices = new Loadable(
    async () =>
      (await this.#api.call('listAccountPrices', { params: { accountId: this.accountId() } })).data,
  );
  /** Past prices are in the account's history; a price that has ended applies no more. */
  protected readonly rows = computed(() =>
    (this.prices.value() ?? []).filter(
      ({ state, prices }) => state === 'future' || (state === 'in_force' && prices !== null),
    ),
  );

  protected readonly acts: readonly RowAct<AccountPriceView>[] = [
    { icon: 'edit', label: 'groups.ownPriceAction', run: (row) => this.open(row) },
    {
      icon: 'trash',
      label: 'prices.takeBack',
      when: ({ state }) => state === 'future',
      run: (row) => this.#withdraw(row),
    },
  ];

  constructor() {
    effect(() => {
      this.accountId();
      untracked(() => void this.prices.load());
    });
  }

  protected textOf({ inputUsd, outputUsd }: NonNullable<AccountPriceView['prices']>) {
    return { input: this.#formatter.price(inputUsd), output: this.#formatter.price(outputUsd) };
  }

  protected async open(row?: AccountPriceView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const { AccountPriceDialog } = await import('./account-price-dialog');
      const data: AccountPriceData =
        row === undefined
          ? { accountId: this.accountId() }
          : {
              accountId: this.accountId(),
              model: {
                modelId: row.modelId,
                publicId: row.publicId,
                prices: row.prices ?? row.listPrices,
              },
              canEnd: row.prices !== null,
            };
      const done = await this.#dialogs.open<AccountPriceData, boolean>(AccountPriceDialog, {
        data,
      });
      if (done === true) await this.prices.load();
    });
  }

  async #withdraw({ accountId, modelId, effectiveFrom }: AccountPriceView): Promise<void> {
    await this.#toasts.reporting(async () => {
      const params = { accountId, modelId, effectiveFrom };
      await this.#api.call('deleteAccountPrice', { params });
      await this.prices.load();
    });
  }
}
