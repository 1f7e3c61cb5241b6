import { Component, computed, effect, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Api } from '../core/api/api';
import { I18n } from '../core/i18n/i18n';
import { Site } from '../core/session/site';
import { Loadable } from '../core/state/loadable';
import { Markdown } from '../markdown/markdown';

/**
 * How to get credit, wherever it is missing: in the operator's words, or else what is possible
 * here. Nobody may be left with "the balance does not cover this" and nowhere to go.
 */
@Component({
  selector: 'weir-credit-help',
  imports: [Markdown, RouterLink],
  host: { 'data-testid': 'credit-help' },
  template: `
    @if (shown(); as settings) {
      <h3>{{ t('creditHelp.title') }}</h3>
      @if (settings.creditHelp.trim() !== '') {
        <weir-markdown [text]="settings.creditHelp" />
      } @else {
        <p>{{ settings.cardPayments ? t('creditHelp.cards') : t('creditHelp.codes') }}</p>
      }
      <p class="cluster links">
        @if (!brief()) {
          <a routerLink="/billing">{{
            settings.cardPayments ? t('plans.toTopUp') : t('billing.redeemTitle')
          }}</a>
          @if (plans.value()?.length) {
            <a routerLink="/billing/plans">{{ t('start.seePlans') }}</a>
          }
        }
        @if (settings.supportUrl; as address) {
          <a target="_blank" rel="noopener noreferrer" [href]="address">{{
            t('palette.support')
          }}</a>
        }
      </p>
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-2);
      min-width: 0;
    }

    .links {
      gap: var(--weir-gap-1) var(--weir-gap-4);
    }
  `,
})
export class CreditHelp {
  protected readonly t = inject(I18n).t;
  readonly #api = inject(Api);
  readonly #site = inject(Site);
  protected readonly plans = new Loadable(
    async () => (await this.#api.call('listPlansForSale')).data,
  );
  /** Payment, codes and plans are next to it, so only what is not there is said. */
  readonly brief = input(false);
  protected readonly shown = computed(() => {
    const settings = this.#site.settings();
    if (settings === undefined || !this.brief()) return settings;
    const hasWords = settings.creditHelp.trim() !== '' || settings.supportUrl !== '';
    return hasWords || !settings.cardPayments ? settings : undefined;
  });

  constructor() {
    effect(() => {
      if (!this.brief()) void this.plans.load();
    });
  }
}
