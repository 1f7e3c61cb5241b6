import { Component, computed, inject, input } from '@angular/core';
import { I18n } from '../core/i18n/i18n';
import { Icon } from '../design/icon/icon';
import type { StepState } from './start-state';

/** One of the things to do: its number or a tick, what it is, what to do for it. */
@Component({
  selector: 'weir-step',
  imports: [Icon],
  host: { class: 'card', '[attr.data-state]': 'state()' },
  template: `
    <span class="mark" aria-hidden="true">
      @if (state() === 'done') {
        <weir-icon name="check" />
      } @else {
        {{ number() }}
      }
    </span>
    <div class="body stack">
      <div>
        <h2>
          {{ heading() }} <span class="unseen">— {{ stateWords() }}</span>
        </h2>
        <p class="soft">{{ hint() }}</p>
      </div>
      <ng-content />
    </div>
  `,
  styles: `
    :host {
      display: flex;
      gap: var(--weir-gap-4);
    }

    .mark {
      display: grid;
      flex: none;
      place-items: center;
      width: 2rem;
      height: 2rem;
      border-radius: 50%;
      background: var(--weir-sunken);
      color: var(--weir-text-soft);
      font-weight: 650;
    }

    :host([data-state='now']) {
      border-color: var(--weir-brand);
    }

    :host([data-state='now']) .mark {
      background: var(--weir-brand);
      color: var(--weir-on-brand);
    }

    :host([data-state='done']) .mark {
      background: var(--weir-good-soft);
      color: var(--weir-good);
    }

    .body {
      flex: 1;
      min-width: 0;
    }

    @media (width < 600px) {
      :host {
        flex-direction: column;
        gap: var(--weir-gap-3);
      }
    }
  `,
})
export class Step {
  readonly #t = inject(I18n).t;
  readonly number = input.required<number>();
  readonly state = input.required<StepState>();
  readonly heading = input.required<string>();
  readonly hint = input.required<string>();

  protected readonly stateWords = computed(() => this.#t(`start.state.${this.state()}`));
}
