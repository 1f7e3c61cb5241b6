import { Component, computed, inject, input } from '@angular/core';
import type { ListedModel, LeftOutReason } from '@weir/shared/prices/price-lists/price-list';
import { I18n } from '../../core/i18n/i18n';

/** Names of fields that a line has; the rest are counted. */
const FIELDS_SHOWN = 4;

/** Lists what is not imported from a list, a line for each reason. */
@Component({
  selector: 'weir-left-out',
  template: `
    @if (lines().length > 0) {
      <details class="small">
        <summary>{{ t('onboard.leftOut') }}</summary>
        <ul class="stack-tight">
          @for (line of lines(); track line.reason) {
            <li>
              {{ t(line.words) }} <code>{{ line.fields.join(', ') }}</code>
              @if (line.more > 0) {
                {{ t('onboard.andMore', { count: line.more }) }}
              }
            </li>
          }
        </ul>
      </details>
    }
  `,
  styles: `
    :host {
      display: block;
      min-width: 0;
    }

    summary {
      cursor: pointer;
    }

    ul {
      margin: var(--weir-gap-1) 0 0;
      padding-inline-start: var(--weir-gap-5);
    }

    code {
      overflow-wrap: anywhere;
    }
  `,
})
export class LeftOutNote {
  protected readonly t = inject(I18n).t;
  readonly models = input.required<readonly ListedModel[]>();

  protected readonly lines = computed(() => {
    const byReason = new Map<LeftOutReason, Set<string>>();
    for (const { field, reason } of this.models().flatMap(({ leftOut }) => leftOut)) {
      byReason.set(reason, (byReason.get(reason) ?? new Set()).add(field));
    }
    return [...byReason].map(([reason, fields]) => ({
      reason,
      words: `onboard.left.${reason}` as const,
      fields: [...fields].slice(0, FIELDS_SHOWN),
      more: Math.max(0, fields.size - FIELDS_SHOWN),
    }));
  });
}
