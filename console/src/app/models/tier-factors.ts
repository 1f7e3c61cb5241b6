import { Component, computed, inject, input } from '@angular/core';
import type { TierFactor } from '@weir/shared/prices/price-fields';
import { I18n } from '../core/i18n/i18n';

/** Shows the factors on the prices of tokens in each tier; nothing if there are none. */
@Component({
  selector: 'weir-tier-factors',
  template: `{{ words() }}`,
  host: { class: 'small soft' },
  styles: `
    :host {
      display: block;
    }
  `,
})
export class TierFactors {
  readonly #t = inject(I18n).t;
  readonly tiers = input.required<readonly TierFactor[]>();

  protected readonly words = computed(() => {
    const tiers = this.tiers().map(({ tier, factor }) => `${tier} × ${factor}`);
    return tiers.length === 0 ? '' : this.#t('models.tiers', { tiers: tiers.join(', ') });
  });
}
