import { Component, computed, inject, input } from '@angular/core';
import { Formatter } from '../../core/format/formatter';

/** A moment in the reader's words; to the second on hover. */
@Component({
  selector: 'weir-time',
  host: { class: 'nowrap' },
  template: `<time [attr.datetime]="at()" [attr.title]="exact()">{{ shown() }}</time>`,
})
export class Time {
  readonly #formatter = inject(Formatter);

  /** RFC 3339. */
  readonly at = input.required<string>();
  readonly as = input<'when' | 'moment' | 'second' | 'recent-moment' | 'day'>('when');

  protected readonly exact = computed(() => this.#formatter.exactMoment(this.at()));
  protected readonly shown = computed(() => {
    const at = this.at();
    switch (this.as()) {
      case 'when':
        return this.#formatter.when(at);
      case 'moment':
        return this.#formatter.moment(at);
      case 'second':
        return this.#formatter.second(at);
      case 'recent-moment':
        return this.#formatter.recentMoment(at);
      case 'day':
        return this.#formatter.day(at);
    }
  });
}
