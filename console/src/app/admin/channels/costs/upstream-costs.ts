import { Component, computed, effect, inject, input, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { UpstreamPricesView, UpstreamPriceView } from '@weir/shared/prices/upstream-prices';
import { Formatter } from '../../../core/format/formatter';
import { I18n } from '../../../core/i18n/i18n';
import { FirstRows } from '../../../core/state/first-rows';
import { Dialogs } from '../../../design/dialog/dialogs';
import { FailureNote } from '../../../design/feedback/failure-note';
import { Skeleton } from '../../../design/feedback/skeleton';
import { Chip, type Tone } from '../../../design/text/chip';
import type { ChannelState } from '../channel-state';
import { CostFactorDialog } from './cost-factor-dialog';
import { UpstreamPriceDialog, type UpstreamPriceData } from './upstream-price-dialog';

const SOURCE_TONES: Readonly<Record<UpstreamPriceView['source'], Tone>> = {
  own: 'brand',
  factor: 'plain',
  unknown: 'warn',
};

/** Edits what the models of a channel cost at its upstream: a factor for all, a price for each. */
@Component({
  selector: 'weir-upstream-costs',
  imports: [Chip, FailureNote, MatButton, Skeleton],
  host: { class: 'card stack', 'data-testid': 'upstream-costs' },
  template: `
    <div class="split">
      <h2>{{ t('costs.title') }}</h2>
      @if (costs().value(); as costs) {
        <button matButton type="button" data-testid="set-factor" (click)="setFactor(costs)">
          {{ t('costs.setFactor') }}
        </button>
      }
    </div>
    <p class="small soft">{{ t('costs.intro') }}</p>
    @if (costs().failure(); as failure) {
      <weir-failure-note [failure]="failure" [retryable]="true" (retry)="costs().load()" />
    }
    @if (costs().value(); as costs) {
      <p data-testid="factor">
        {{
          costs.factor === null
            ? t('costs.factorNone')
            : t('costs.factorNow', { factor: costs.factor })
        }}
      </p>
      @if (costs.models.length > 0) {
        <p class="small soft">{{ t('costs.perMillion') }}</p>
        <ul>
          @for (model of first.of(costs.models); track model.modelId) {
            <li>
              <p class="words">
                <code>{{ model.publicId }}</code>
                <span class="small soft numeric">{{
                  model.listPrices === null
                    ? t('costs.noListPrice')
                    : t('costs.listPrice', { price: pairOf(model.listPrices) })
                }}</span>
                @if (model.prices; as prices) {
                  <span class="small numeric">{{
                    t('costs.price', { price: pairOf(prices) })
                  }}</span>
                }
              </p>
              <weir-chip [tone]="tones[model.source]">{{ t(sourceWords[model.source]) }}</weir-chip>
              <button
                matButton
                type="button"
                [attr.aria-label]="t('costs.setNamed', { model: model.publicId })"
                (click)="setPrice(model)"
              >
                {{ t('costs.set') }}
              </button>
            </li>
          }
        </ul>
        @if (first.cuts(costs.models)) {
          <button matButton type="button" (click)="first.showAll()">
            {{ t('channels.allModels', { count: costs.models.length }) }}
          </button>
        }
      } @else {
        <p class="soft">{{ t('costs.none') }}</p>
      }
    } @else if (costs().waiting()) {
      <weir-skeleton height="6rem" />
    }
  `,
  styles: `
    :host {
      min-width: 0;
    }

    ul {
      display: grid;
      gap: var(--weir-gap-2);
      padding: 0;
      list-style: none;
    }

    li {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto auto;
      align-items: center;
      gap: var(--weir-gap-2);
    }

    .words {
      display: grid;
      overflow-wrap: anywhere;
    }
  `,
})
export class UpstreamCosts {
  readonly #dialogs = inject(Dialogs);
  readonly #formatter = inject(Formatter);
  protected readonly t = inject(I18n).t;
  protected readonly tones = SOURCE_TONES;
  protected readonly sourceWords = {
    own: 'costs.source.own',
    factor: 'costs.source.factor',
    unknown: 'costs.source.unknown',
  } as const;
  readonly state = input.required<ChannelState>();
  protected readonly costs = computed(() => this.state().costs);

  protected readonly first = new FirstRows();

  constructor() {
    // Read again when the channel has changed: it may serve other models now.
    effect(() => {
      if (this.state().channel.value() === undefined) return;
      untracked(() => void this.costs().load());
    });
  }

  protected pairOf({ inputUsd, outputUsd }: NonNullable<UpstreamPriceView['prices']>): string {
    return `${this.#formatter.price(inputUsd)} / ${this.#formatter.price(outputUsd)}`;
  }

  protected async setFactor(costs: UpstreamPricesView): Promise<void> {
    const changed = await this.#dialogs.open<UpstreamPricesView, UpstreamPricesView>(
      CostFactorDialog,
      { data: costs },
    );
    if (changed !== undefined) this.costs().set(changed);
  }

  protected async setPrice(model: UpstreamPriceView): Promise<void> {
    const channelId = this.costs().value()?.channelId;
    if (channelId === undefined) return;
    const data = { channelId, model };
    const changed = await this.#dialogs.open<UpstreamPriceData, UpstreamPricesView>(
      UpstreamPriceDialog,
      { data, wide: true },
    );
    if (changed !== undefined) this.costs().set(changed);
  }
}
