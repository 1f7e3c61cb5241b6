import { Component, input, model } from '@angular/core';
import type { Option } from '../../core/i18n/i18n';
import { nextFieldId } from './control-fault';

/**
 * One of a few, all of them in sight. Radio buttons underneath, so arrow keys work as everywhere.
 */
@Component({
  selector: 'weir-pills',
  template: `
    <fieldset>
      <legend class="unseen">{{ label() }}</legend>
      @for (option of options(); track option.value) {
        <label [class.chosen]="option.value === value()">
          <input
            type="radio"
            [name]="name"
            [value]="option.value"
            [checked]="option.value === value()"
            (change)="value.set(option.value)"
          />
          {{ option.label }}
        </label>
      }
    </fieldset>
  `,
  styles: `
    :host {
      display: block;
      min-width: 0;
    }

    fieldset {
      display: flex;
      flex-wrap: wrap;
      gap: var(--weir-gap-1);
      margin: 0;
      padding: 0;
      border: 0;
    }

    label {
      position: relative;
      padding: 0.25rem 0.75rem;
      border: 1px solid var(--weir-line);
      border-radius: 99px;
      background: var(--weir-surface);
      color: var(--weir-text-soft);
      font-size: 0.875rem;
      font-weight: 550;
      cursor: pointer;
      white-space: nowrap;
    }

    /* As large as its pill: a browser scrolls what has the focus into view, and no more. */
    input {
      position: absolute;
      inset: 0;
      margin: 0;
      opacity: 0;
      cursor: inherit;
      scroll-margin: var(--weir-gap-2);
    }

    label:hover {
      border-color: var(--weir-outline);
      color: var(--weir-text);
    }

    .chosen {
      border-color: transparent;
      background: var(--weir-brand-soft);
      color: var(--weir-on-brand-soft);
    }

    label:has(input:focus-visible) {
      outline: 2px solid var(--weir-brand);
      outline-offset: 2px;
    }
  `,
})
export class Pills<Value extends string> {
  protected readonly name = nextFieldId();
  readonly options = input.required<readonly Option<Value>[]>();
  readonly label = input.required<string>();
  readonly value = model.required<Value>();
}
