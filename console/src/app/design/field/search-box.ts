import { Component, DestroyRef, inject, input, model } from '@angular/core';
import { Icon } from '../icon/icon';

/** Typing pauses before the list is asked for anew. */
const PAUSE_MS = 250;

@Component({
  selector: 'weir-search-box',
  imports: [Icon],
  template: `
    <weir-icon name="search" />
    <input
      type="search"
      autocomplete="off"
      maxlength="100"
      [attr.aria-label]="label()"
      [placeholder]="label()"
      [value]="value()"
      (input)="type($event)"
    />
  `,
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      gap: var(--weir-gap-2);
      flex: 1 1 14rem;
      max-width: 24rem;
      min-height: 2.25rem;
      padding: 0 var(--weir-gap-3);
      border: 1px solid var(--weir-outline);
      border-radius: var(--weir-radius-m);
      background: var(--weir-surface);
      color: var(--weir-text-soft);
    }

    :host(:focus-within) {
      outline: 2px solid var(--weir-brand);
      outline-offset: -1px;
    }

    input {
      flex: 1;
      min-width: 0;
      padding: 0.25rem 0;
      border: 0;
      background: none;
      color: var(--weir-text);
      font: inherit;
      font-size: 0.875rem;
    }

    input:focus {
      outline: none;
    }

    input::placeholder {
      color: var(--weir-text-soft);
      opacity: 1;
    }
  `,
})
export class SearchBox {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly label = input.required<string>();
  readonly value = model('');

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.#timer));
  }

  protected type(event: Event): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    const { value } = event.target;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.value.set(value.trim()), PAUSE_MS);
  }
}
