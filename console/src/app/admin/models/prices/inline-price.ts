import {
  afterNextRender,
  Component,
  type ElementRef,
  inject,
  Injector,
  input,
  signal,
  viewChild,
} from '@angular/core';
import { ReactiveFormsModule } from '@angular/forms';
import { MatIconButton } from '@angular/material/button';
import type { ModelView } from '@weir/shared/catalog/models';
import { faultWords } from '../../../core/forms/fault-words';
import { Formatter } from '../../../core/format/formatter';
import { I18n } from '../../../core/i18n/i18n';
import { Action } from '../../../core/state/action';
import { Toasts } from '../../../design/feedback/toasts';
import { Icon } from '../../../design/icon/icon';
import { TierFactors } from '../../../models/tier-factors';
import type { ModelsState } from '../models-state';
import { PriceForm } from './price-form';

/** Input and output price in the row itself: press, type, Enter. */
@Component({
  selector: 'weir-inline-price',
  imports: [Icon, MatIconButton, ReactiveFormsModule, TierFactors],
  template: `
    @if (form(); as form) {
      <form
        [formGroup]="form.group"
        [attr.aria-label]="t('prices.editNamed', { model: model().publicId })"
        (ngSubmit)="save(form)"
        (keydown.escape)="close()"
      >
        <input
          #first
          inputmode="decimal"
          formControlName="inputUsd"
          [attr.aria-label]="t('models.input')"
          [attr.aria-invalid]="form.controls.inputUsd.invalid"
        />
        <input
          inputmode="decimal"
          formControlName="outputUsd"
          [attr.aria-label]="t('models.output')"
          [attr.aria-invalid]="form.controls.outputUsd.invalid"
        />
        <button
          matIconButton
          type="submit"
          class="row-button"
          [attr.aria-label]="t('prices.set')"
          [disabled]="action.busy()"
        >
          <weir-icon name="check" />
        </button>
        <button
          matIconButton
          type="button"
          class="row-button"
          [attr.aria-label]="t('action.cancel')"
          (click)="close()"
        >
          <weir-icon name="close" />
        </button>
        @if (form.group.valid) {
          <p class="cache small soft numeric">{{ cacheWords(form) }}</p>
        }
      </form>
    } @else {
      <button
        #shown
        type="button"
        class="shown numeric"
        [title]="t('prices.edit')"
        (click)="open()"
      >
        @if (model().price; as price) {
          {{ formatter.price(price.inputUsd) }} → {{ formatter.price(price.outputUsd) }}
          <weir-tier-factors [tiers]="price.tiers" />
        } @else {
          <span class="warn">{{ t('prices.none') }}</span>
        }
        <span class="unseen">{{ t('prices.editNamed', { model: model().publicId }) }}</span>
      </button>
    }
  `,
  styles: `
    form {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: flex-end;
      gap: 2px;
    }

    .cache {
      width: 100%;
      font-size: 0.6875rem;
      line-height: 0.875rem;
      text-align: end;
    }

    input {
      width: 4.5rem;
      min-width: 0;
      padding: 0.25rem 0.375rem;
      border: 1px solid var(--weir-outline);
      border-radius: var(--weir-radius-s);
      background: var(--weir-surface);
      color: var(--weir-text);
      font: inherit;
      font-size: 0.875rem;
      text-align: end;
    }

    input[aria-invalid='true'] {
      border-color: var(--weir-bad);
    }

    .shown {
      /* Its figures stand under the column's head. */
      margin-inline-end: calc(-0.375rem - 1px);
      padding: 0.25rem 0.375rem;
      border: 1px dashed transparent;
      border-radius: var(--weir-radius-s);
      background: none;
      color: inherit;
      font: inherit;
      text-align: end;
      cursor: text;
    }

    .shown:hover {
      border-color: var(--weir-outline);
    }

    @media (width < 720px) {
      /* A card has no room for them next to the model's name: the dialog of prices shows them. */
      weir-tier-factors {
        display: none;
      }

      form {
        position: absolute;
        z-index: 1;
        inset: 0;
        align-content: center;
        padding: 0 var(--weir-gap-4);
        background: var(--weir-surface);
      }

      input {
        flex: 1;
      }

      .cache {
        text-align: start;
      }
    }
  `,
})
export class InlinePrice {
  readonly #injector = inject(Injector);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly first = viewChild<ElementRef<HTMLInputElement>>('first');
  protected readonly shown = viewChild<ElementRef<HTMLButtonElement>>('shown');
  protected readonly form = signal<PriceForm | undefined>(undefined);
  protected readonly action = new Action();

  readonly model = input.required<ModelView>();
  readonly state = input.required<ModelsState>();

  /** The row has no room for the cache's prices, and they change with the input's or stay. */
  protected cacheWords(form: PriceForm): string {
    const { cachedInputUsd, cacheWriteUsd } = form.cachePrices();
    return this.t('prices.cache', {
      read: this.formatter.price(cachedInputUsd),
      write: this.formatter.price(cacheWriteUsd),
    });
  }

  protected open(): void {
    this.form.set(new PriceForm(this.model().price));
    this.#whenShown(() => {
      this.first()?.nativeElement.focus();
      this.first()?.nativeElement.select();
    });
  }

  protected close(): void {
    this.form.set(undefined);
    this.#whenShown(() => this.shown()?.nativeElement.focus());
  }

  /**
   * Moves the focus from an element that goes to the one in its place, so that the next key goes to
   * that.
   */
  #whenShown(focus: () => void): void {
    afterNextRender(focus, { injector: this.#injector });
  }

  protected async save(form: PriceForm): Promise<void> {
    if (!form.group.valid) {
      this.#toasts.warn(faultWords(form.firstFault(), this.t));
      return;
    }
    const done = await this.action.run(() => this.state().setPrice(this.model(), form.body()));
    const failure = this.action.failure();
    if (done) {
      this.close();
      this.#toasts.info(this.t('prices.saved', { model: this.model().publicId }));
    } else if (failure !== undefined) {
      this.#toasts.error(failure);
    }
  }
}
