import { Component, computed, inject, input } from '@angular/core';
import { ReactiveFormsModule, type FormControl } from '@angular/forms';
import { I18n } from '../../../core/i18n/i18n';
import { controlFault, nextFieldId } from '../../../design/field/control-fault';

/** A small field in a row, named with the model that it is of for people who listen. */
@Component({
  selector: 'weir-offer-field',
  imports: [ReactiveFormsModule],
  template: `
    <label class="small soft" [for]="id">{{ label() }}</label>
    <span class="frame" [class.wrong]="isWrong()">
      @if (isPrice()) {
        <span class="soft" aria-hidden="true">$</span>
      }
      <input
        autocomplete="off"
        spellcheck="false"
        [id]="id"
        [class.mono]="!isPrice()"
        [attr.inputmode]="isPrice() ? 'decimal' : null"
        [attr.aria-label]="t('onboard.fieldOf', { field: label(), name: of() })"
        [attr.aria-invalid]="isWrong()"
        [attr.aria-describedby]="isWrong() ? id + '-fault' : null"
        [formControl]="control()"
      />
    </span>
    @if (isWrong()) {
      <span class="small bad" [id]="id + '-fault'">{{ fault() }}</span>
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: 0.15rem;
      min-width: 0;
    }

    .frame {
      display: flex;
      align-items: center;
      gap: 0.2rem;
      min-height: 2.25rem;
      padding: 0 0.5rem;
      border: 1px solid var(--weir-outline);
      border-radius: var(--weir-radius-s);
      background: var(--weir-surface);
    }

    .frame:focus-within {
      outline: 2px solid var(--weir-brand);
      outline-offset: 1px;
    }

    .frame.wrong {
      border-color: var(--weir-bad);
    }

    input {
      flex: 1;
      min-width: 0;
      width: 100%;
      padding: 0.25rem 0;
      border: 0;
      outline: 0;
      background: none;
      color: var(--weir-text);
      font-size: 0.875rem;
    }
  `,
})
export class OfferField {
  protected readonly t = inject(I18n).t;
  protected readonly id = nextFieldId();
  readonly control = input.required<FormControl<string>>();
  readonly label = input.required<string>();
  /** The model that it is a field of. */
  readonly of = input.required<string>();
  readonly isPrice = input(false);
  protected readonly fault = controlFault(this.control);
  protected readonly isWrong = computed(() => this.fault() !== '');
}
