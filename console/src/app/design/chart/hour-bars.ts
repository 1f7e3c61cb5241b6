import { Component, computed, input } from '@angular/core';

const HEIGHT = 20;
/** An hour with any request is seen. */
const HEIGHT_MIN = 1.5;

export interface HourBar {
  /** Height of what was served, and of what failed on top of it. */
  readonly served: number;
  readonly failed: number;
}

/** The bars of some hours, the busiest of which is 20 high. */
export function hourBarsOf(hours: readonly number[], failedHours: readonly number[]): HourBar[] {
  const most = Math.max(1, ...hours);
  return hours.map((count, index) => {
    const whole = count === 0 ? 0 : Math.max(HEIGHT_MIN, (count / most) * HEIGHT);
    const failed = count === 0 ? 0 : (whole * (failedHours[index] ?? 0)) / count;
    return { served: whole - failed, failed };
  });
}

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
