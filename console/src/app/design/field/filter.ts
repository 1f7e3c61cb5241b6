import { Component, input, model } from '@angular/core';
import type { Option } from '../../core/i18n/i18n';

/**
 * A filter above a list: the browser's own select, in the dress of the others
 * (styles/_select.scss).
 */
@Component({
  selector: 'weir-filter',
  template: `
    <select
      class="weir-select"
      [attr.aria-label]="label()"
      [value]="value()"
      (change)="choose($event)"
    >
      <option value="" [selected]="value() === ''">{{ label() }}</option>
      @for (option of options(); track option.value) {
        <option [value]="option.value" [selected]="option.value === value()">
          {{ option.label }}
        </option>
      }
    </select>
  `,
  styles: `
    :host {
      display: inline-flex;
      max-width: min(100%, var(--weir-filter-width-max, 15rem));
    }

    select {
      flex: 1;
      min-width: 0;
    }

    @media (width < 600px) {
      :host {
        --weir-filter-width-max: 100%;
      }
    }
  `,
})
export class Filter<Value extends string = string> {
  readonly label = input.required<string>();
  readonly options = input.required<readonly Option<Value>[]>();
  /** Empty filters nothing. */
  readonly value = model<Value | ''>('');
  /**
   * Something is taken from the list each time, and nothing stays chosen: the same can be taken
   * again later.
   */
  readonly taking = input(false);

  protected choose(event: Event): void {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    this.value.set(this.options().find((option) => option.value === value)?.value ?? '');
    if (!this.taking()) return;
    this.value.set('');
    event.target.value = '';
  }
}
