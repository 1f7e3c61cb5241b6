import { booleanAttribute, Component, computed, inject, input, model } from '@angular/core';
import { I18n, type Option } from '../../core/i18n/i18n';
import { Icon } from '../icon/icon';

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
    @if (removable()) {
      <button
        type="button"
        class="remove"
        [attr.aria-label]="t('filter.remove', { value: words() })"
        (click)="value.set('')"
      >
        <weir-icon name="close" />
      </button>
    }
  `,
  host: { '[class.chosen]': 'removable()' },
  imports: [Icon],
  styles: `
    :host {
      display: inline-flex;
      max-width: min(100%, var(--weir-filter-width-max, 15rem));
    }

    select {
      flex: 1;
      min-width: 0;
    }

    .remove {
      position: absolute;
      inset-block: 0;
      inset-inline-end: 2px;
      display: grid;
      place-items: center;
      width: 1.75rem;
      padding: 0;
      border: 0;
      border-radius: 99px;
      background: none;
      color: inherit;
      cursor: pointer;
    }

    .remove weir-icon {
      width: 0.875rem;
      height: 0.875rem;
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
  /** In a bar of filters: what is chosen is a chip that can be removed. */
  readonly chip = input(false, { transform: booleanAttribute });
  protected readonly t = inject(I18n).t;
  protected readonly removable = computed(() => this.chip() && this.value() !== '');
  protected readonly words = computed(
    () => this.options().find(({ value }) => value === this.value())?.label ?? this.value(),
  );

  protected choose(event: Event): void {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    this.value.set(this.options().find((option) => option.value === value)?.value ?? '');
    if (!this.taking()) return;
    this.value.set('');
    event.target.value = '';
  }
}
