import { Component, computed, input } from '@angular/core';
import { sparklineShape } from './sparkline-shape';

/** The course of a figure as a small line. The figure next to it says how much; this says how. */
@Component({
  selector: 'weir-sparkline',
  template: `
    <svg
      viewBox="0 0 120 32"
      preserveAspectRatio="none"
      aria-hidden="true"
      [attr.data-points]="points().length"
    >
      <path class="area" [attr.d]="shape().area" />
      <path class="line" [attr.d]="shape().line" />
    </svg>
  `,
  styles: `
    :host {
      display: block;
      color: var(--weir-brand);
    }

    svg {
      display: block;
      width: 100%;
      height: 2rem;
      overflow: visible;
    }

    .area {
      fill: color-mix(in srgb, currentcolor 12%, transparent);
    }

    .line {
      fill: none;
      stroke: currentcolor;
      stroke-width: 1.5;
      stroke-linecap: round;
      stroke-linejoin: round;
      vector-effect: non-scaling-stroke;
    }
  `,
})
export class Sparkline {
  readonly points = input.required<readonly (number | null)[]>();
  protected readonly shape = computed(() => sparklineShape(this.points()));
}
