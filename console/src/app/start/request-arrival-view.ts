import { Component, computed, DestroyRef, effect, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { Api } from '../core/api/api';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { Icon } from '../design/icon/icon';
import { requestTone } from '../requests/request-words';
import { Chip } from '../design/text/chip';
import { RequestArrival } from './request-arrival';

const LOOK_AGAIN_MS = 3_000;

/** Says live whether a request of a key has arrived, and leads to it. */
@Component({
  selector: 'weir-request-arrival',
  imports: [Chip, Icon, RouterLink],
  template: `
    <p role="status" data-testid="arrival">
      @if (arrival().arrived(); as request) {
        <weir-chip [tone]="tone(request.code)">{{
          t(request.code === null ? 'tools.arrived' : 'tools.arrivedFailed')
        }}</weir-chip>
        <span>{{ request.model ?? '–' }} · {{ formatter.clock(request.createdAt) }}</span>
        <!-- In a tab of its own: a key that is shown once stays in sight. -->
        <a [routerLink]="['/requests', request.requestId]" target="_blank">
          {{ t('tools.openRequest') }}<weir-icon name="external" />
        </a>
      } @else if (!arrival().unknown()) {
        <span class="dot" aria-hidden="true"></span>
        <span class="soft">{{
          t(arrival().wasUsed() ? 'tools.waitingNext' : 'tools.waitingFirst')
        }}</span>
      }
    </p>
  `,
  styles: `
    p {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--weir-gap-2);
      min-height: 1.75rem;
    }

    a {
      display: inline-flex;
      align-items: center;
      gap: var(--weir-gap-1);
    }

    .dot {
      width: 0.5rem;
      height: 0.5rem;
      border-radius: 50%;
      background: var(--weir-brand);
      animation: waiting 1.6s ease-in-out infinite;
    }

    @keyframes waiting {
      50% {
        opacity: 0.25;
      }
    }
  `,
})
export class RequestArrivalView {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly tone = requestTone;

  readonly keyId = input.required<string>();
  protected readonly arrival = computed(() => new RequestArrival(this.#api, this.keyId()));

  constructor() {
    effect(() => void this.arrival().look());
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.arrival().look();
    }, LOOK_AGAIN_MS);
    inject(DestroyRef).onDestroy(() => clearInterval(timer));
  }
}
