import { Component, input } from '@angular/core';
import { Skeleton } from '../feedback/skeleton';

/** One figure with its name; the figure is projected. */
@Component({
  selector: 'weir-stat-tile',
  imports: [Skeleton],
  host: { class: 'card' },
  template: `
    <p class="name">{{ name() }}</p>
    <p class="figure numeric">
      @if (waiting()) {
        <weir-skeleton width="6rem" height="1.6rem" />
      } @else {
        <ng-content />
      }
    </p>
    <div class="note small soft">
      @if (waiting()) {
        <weir-skeleton width="8rem" height="0.9rem" />
      } @else {
        <ng-content select="[statNote]" />
      }
    </div>
  `,
  styles: `
    :host {
      // Lines of the grid around it: figures are side by side even if one of the names takes
      // two lines.
      display: grid;
      grid-row: span 3;
      grid-template-rows: subgrid;
      row-gap: var(--weir-gap-1);
      min-width: 0;
      padding: var(--weir-gap-4) var(--weir-gap-5);
    }

    .name {
      color: var(--weir-text-soft);
      font-size: 0.875rem;
    }

    .figure {
      font-size: 1.625rem;
      line-height: 2.125rem;
      font-weight: 650;
      letter-spacing: -0.02em;
    }

    @media (width < 600px) {
      :host {
        padding: var(--weir-gap-3) var(--weir-gap-4);
      }

      .figure {
        font-size: 1.375rem;
        line-height: 1.75rem;
      }
    }

    .note {
      min-height: 1.25rem;
    }
  `,
})
export class StatTile {
  readonly name = input.required<string>();
  readonly waiting = input(false);
}
