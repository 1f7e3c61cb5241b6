import { Component, DestroyRef, inject, input, linkedSignal, model } from '@angular/core';
import { Icon } from '../icon/icon';

/** Typing pauses before the list is asked for again. */
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
      [value]="shown()"
      (input)="type($event)"
    />
  `,
  styleUrl: './search-box.scss',
})
export class SearchBox {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly label = input.required<string>();
  readonly value = model('');
  /** The text as it was typed: without the space at its end, the next word would join the last. */
  protected readonly shown = linkedSignal<string, string>({
    source: this.value,
    computation: (value, typed) => (typed?.value.trim() === value ? typed.value : value),
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.#timer));
  }

  protected type(event: Event): void {
    if (!(event.target instanceof HTMLInputElement)) return;
    const { value } = event.target;
    this.shown.set(value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.value.set(value.trim()), PAUSE_MS);
  }
}
