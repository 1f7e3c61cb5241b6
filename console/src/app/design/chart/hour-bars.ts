import { Component, computed, input } from '@angular/core';
import { hourBarsOf } from './hour-bars-shape';

/** Requests of 24 hours as small bars; the part of each that failed is red. */
@Component({
  selector: 'weir-hour-bars',
  template: `
    <svg viewBox="0 0 96 20" preserveAspectRatio="none" role="img" [attr.aria-label]="label()">
      <path class="base" d="M0 19.750H96" />
      @for (bar of bars(); track $index) {
        @if (bar.served > 0) {
          <rect
            class="served"
            width="3"
            [attr.x]="$index * 4"
            [attr.y]="20 - bar.served"
            [attr.height]="bar.served"
          />
        }
        @if (bar.failed > 0) {
          <rect
            class="failed"
            width="3"
            [attr.x]="$index * 4"
            [attr.y]="20 - bar.served - bar.failed"
            [attr.height]="bar.failed"
          />
        }
      }
    </svg>
  `,
  styles: `
    :host {
      display: block;
    }

    svg {
      display: block;
      width: 100%;
      height: 1.25rem;
    }

    .base {
      stroke: var(--weir-line);
      stroke-width: 0.5;
    }

    .served {
      fill: var(--weir-series-1);
    }

    .failed {
      fill: var(--weir-bad);
    }
  `,
})
export class HourBars {
  readonly hours = input.required<readonly number[]>();
  readonly failedHours = input.required<readonly number[]>();
  /** The figures in words, for people who listen. */
  readonly label = input.required<string>();
  protected readonly bars = computed(() => hourBarsOf(this.hours(), this.failedHours()));
}
