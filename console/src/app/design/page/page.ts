import { Component, input } from '@angular/core';

/** The frame of a page: its name, what it is for, its one primary action, its content. */
@Component({
  selector: 'weir-page',
  template: `
    <header class="head">
      <div class="words">
        <ng-content select="[pageBack]" />
        <h1>{{ heading() }}</h1>
        @if (intro()) {
          <p class="intro">{{ intro() }}</p>
        }
      </div>
      <div class="cluster actions"><ng-content select="[pageAction]" /></div>
    </header>
    <div class="stack-loose"><ng-content /></div>
  `,
  styles: `
    :host {
      display: block;
      max-width: 76rem;
      margin: 0 auto;
      padding: var(--weir-gap-6) var(--weir-gap-6) var(--weir-gap-7);
    }

    .head {
      display: flex;
      flex-wrap: wrap;
      align-items: flex-start;
      justify-content: space-between;
      gap: var(--weir-gap-3) var(--weir-gap-5);
      margin-bottom: var(--weir-gap-5);
    }

    .words {
      flex: 1 1 26rem;
      min-width: 0;
    }

    .intro {
      max-width: 44rem;
      margin-top: var(--weir-gap-1);
      color: var(--weir-text-soft);
      text-wrap: pretty;
    }

    .actions:empty {
      display: none;
    }

    @media (width >= 720px) {
      :host-context([data-density='compact']) {
        padding-top: var(--weir-gap-2);

        .head {
          margin-bottom: var(--weir-gap-2);
        }

        h1 {
          font-size: 1.25rem;
          line-height: 1.75rem;
        }

        .intro {
          display: none;
        }

        .stack-loose {
          gap: var(--weir-gap-2);
        }
      }
    }

    @media (width < 1200px) {
      :host {
        padding-inline: var(--weir-gap-5);
      }
    }

    @media (width < 720px) {
      :host {
        padding: var(--weir-gap-5) var(--weir-gap-4) var(--weir-gap-7);
      }
    }
  `,
})
export class Page {
  readonly heading = input.required<string>();
  readonly intro = input('');
}
