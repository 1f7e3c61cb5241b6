import { Component, computed, inject, input, output } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { Failure } from '../../core/api/api-failure';
import { I18n } from '../../core/i18n/i18n';
import { Icon } from '../icon/icon';
import { failureWords } from './failure-words';

/** Shows a failure in words, with the request id to quote and a way to try again. */
@Component({
  selector: 'weir-failure-note',
  imports: [Icon, MatButton],
  template: `
    <div class="note" role="alert">
      <weir-icon name="warning" />
      <div class="body">
        <p class="words">{{ words() }}</p>
        @if (failure().mayBeDone) {
          <p class="words">{{ t('failure.mayBeDone') }}</p>
        }
        @for (fault of faults(); track fault.field) {
          <p class="small">
            <code>{{ fault.field }}</code> {{ fault.detail }}
          </p>
        }
        @if (failure().requestId; as id) {
          <p class="small id">
            {{ t('failure.requestId') }} <code>{{ id }}</code>
          </p>
        }
      </div>
      @if (retryable()) {
        <button matButton type="button" (click)="retry.emit()">{{ t('failure.retry') }}</button>
      }
    </div>
  `,
  styles: `
    :host {
      display: block;
    }

    .note {
      display: flex;
      flex-wrap: wrap;
      align-items: flex-start;
      gap: var(--weir-gap-2) var(--weir-gap-3);
      padding: var(--weir-gap-3) var(--weir-gap-4);
      border-radius: var(--weir-radius-m);
      background: var(--weir-bad-soft);
      color: var(--weir-text);
    }

    weir-icon {
      color: var(--weir-bad);
      margin-top: 0.1rem;
    }

    .body {
      flex: 1 1 14rem;
      min-width: 0;
    }

    .id {
      color: var(--weir-text-soft);
    }
  `,
})
export class FailureNote {
  readonly #i18n = inject(I18n);
  protected readonly t = this.#i18n.t;

  readonly failure = input.required<Failure>();
  /** The page's own text, if it is better than that of the code. */
  readonly ownWords = input('');
  readonly retryable = input(false);
  readonly retry = output();

  /** The faults that the text does not mention. */
  protected readonly faults = computed(() =>
    this.failure().fields.flatMap(({ field, detail }) => {
      const isSaid = this.words().includes(detail);
      if (isSaid && this.words().includes(field)) return [];
      return [{ field, detail: isSaid ? '' : detail }];
    }),
  );
  protected readonly words = computed(
    () => this.ownWords() || failureWords(this.failure(), this.#i18n),
  );
}
