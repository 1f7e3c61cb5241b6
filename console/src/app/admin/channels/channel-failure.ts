import { Component, computed, inject, input } from '@angular/core';
import type { ChannelFailureView } from '@weir/shared/catalog/channels';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';

/** Shows the upstream's last failure: its message, how often in a row, and when. */
@Component({
  selector: 'weir-channel-failure',
  host: { class: 'small bad two-lines', '[title]': 'about().message' },
  template: `{{ words() }}`,
})
export class ChannelFailure {
  readonly #t = inject(I18n).t;
  readonly #formatter = inject(Formatter);
  readonly about = input.required<ChannelFailureView>();

  protected readonly words = computed(() => {
    const { inRow, at, httpStatus, message } = this.about();
    const why = [httpStatus === null ? '' : String(httpStatus), message];
    return this.#t('channels.failure', {
      count: inRow,
      why: why.filter((part) => part !== '').join(' '),
      time: this.#formatter.clock(at),
    });
  });
}
