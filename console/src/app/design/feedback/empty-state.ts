import { Component, input } from '@angular/core';
import { Icon } from '../icon/icon';
import type { IconName } from '../icon/icon-paths';

/** Nothing is there yet: says what would be, and what to do. The action is projected. */
@Component({
  selector: 'weir-empty-state',
  imports: [Icon],
  template: `
    <span class="mark"><weir-icon [name]="icon()" /></span>
    <p class="strong">{{ heading() }}</p>
    @if (hint()) {
      <p class="soft words">{{ hint() }}</p>
    }
    <div class="cluster action"><ng-content /></div>
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      align-items: center;
      gap: var(--weir-gap-2);
      padding: var(--weir-gap-7) var(--weir-gap-5);
      text-align: center;
    }

    .mark {
      display: grid;
      place-items: center;
      width: 3rem;
      height: 3rem;
      margin-bottom: var(--weir-gap-2);
      border-radius: 50%;
      background: var(--weir-brand-soft);
      color: var(--weir-on-brand-soft);
    }

    .words {
      max-width: 34rem;
      text-wrap: pretty;
    }

    .action {
      justify-content: center;
      margin-top: var(--weir-gap-3);
    }

    .action:empty {
      display: none;
    }
  `,
})
export class EmptyState {
  readonly icon = input.required<IconName>();
  readonly heading = input.required<string>();
  readonly hint = input('');
}
