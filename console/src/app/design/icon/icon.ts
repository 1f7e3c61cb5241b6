import { Component, computed, input } from '@angular/core';
import { ICON_PATHS, type IconName } from './icon-paths';

/**
 * A picture next to words; alone it says nothing to people who listen, so its button needs a label.
 */
@Component({
  selector: 'weir-icon',
  host: { 'aria-hidden': 'true' },
  template: `
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" focusable="false">
      <path [attr.d]="path()" />
    </svg>
  `,
  styles: `
    :host {
      display: inline-flex;
      flex: none;
      width: 1.25em;
      height: 1.25em;
      font-size: 1rem;
    }

    svg {
      width: 100%;
      height: 100%;
      stroke-width: 1.7;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
  `,
})
export class Icon {
  readonly name = input.required<IconName>();
  protected readonly path = computed(() => ICON_PATHS[this.name()]);
}
