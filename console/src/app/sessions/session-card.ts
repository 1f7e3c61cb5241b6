import { Component, input } from '@angular/core';

/** The frame of pages in front of the door: one card in the middle, one thing to do. */
@Component({
  selector: 'weir-session-card',
  template: `
    <div class="card">
      <h1>{{ heading() }}</h1>
      @if (intro()) {
        <p class="soft intro">{{ intro() }}</p>
      }
      <ng-content />
    </div>
    <div class="beneath"><ng-content select="[sessionCardBeneath]" /></div>
  `,
  styles: `
    :host {
      display: block;
      max-width: 27rem;
      margin: 0 auto;
      padding: clamp(1.5rem, 8vh, 6rem) var(--weir-gap-4) var(--weir-gap-6);
    }

    .card {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-4);
      padding: var(--weir-gap-6);
    }

    .intro {
      margin-top: calc(-1 * var(--weir-gap-3));
    }

    .beneath {
      margin-top: var(--weir-gap-4);
      text-align: center;
      color: var(--weir-text-soft);
    }

    @media (width < 600px) {
      .card {
        padding: var(--weir-gap-5) var(--weir-gap-4);
      }
    }
  `,
})
export class SessionCard {
  readonly heading = input.required<string>();
  readonly intro = input('');
}
