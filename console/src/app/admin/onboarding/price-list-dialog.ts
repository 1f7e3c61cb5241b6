import { Component, computed, inject, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import { PriceFinder } from '@weir/shared/prices/price-lists/find-price';
import type { PriceList } from '@weir/shared/prices/price-lists/price-list';
import { I18n } from '../../core/i18n/i18n';
import { Note } from '../../design/feedback/note';
import { LeftOutNote } from '../price-lists/left-out';
import type { Offers } from './offers/offers';
import { PriceChanges } from '../price-lists/price-changes';
import { PriceListField } from './price-list-field';

/** Takes a price list in and shows what it would change, before it does. */
@Component({
  selector: 'weir-price-list-dialog',
  imports: [LeftOutNote, MatButton, MatDialogModule, Note, PriceChanges, PriceListField],
  template: `
    <h2 mat-dialog-title>{{ t('onboard.listTitle') }}</h2>
    <mat-dialog-content class="stack">
      @if (list() === undefined) {
        <weir-price-list-field (read)="list.set($event)" />
      }
      @if (list(); as list) {
        <weir-note [tone]="changes().length > 0 ? 'info' : 'warn'">
          {{
            t('onboard.listFound', {
              list: t(formats[list.format]),
              count: changes().length,
              of: offers.all().length,
            })
          }}
        </weir-note>
        @if (changes().length > 0) {
          <weir-price-changes [changes]="changes()" />
          <weir-left-out [models]="models()" />
        }
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
      @if (list()) {
        <button matButton="outlined" type="button" (click)="list.set(undefined)">
          {{ t('onboard.listOther') }}
        </button>
        <button
          matButton="filled"
          type="button"
          data-testid="use-list"
          [disabled]="changes().length === 0"
          (click)="use()"
        >
          {{ t('onboard.listUse') }}
        </button>
      }
    </mat-dialog-actions>
  `,
})
export class PriceListDialog {
  readonly #dialog = inject<MatDialogRef<PriceListDialog, PriceList>>(MatDialogRef);
  protected readonly offers = inject<Offers>(MAT_DIALOG_DATA);
  protected readonly t = inject(I18n).t;
  protected readonly formats = LIST_NAMES;
  protected readonly list = signal<PriceList | undefined>(undefined);

  readonly #found = computed(() => {
    const list = this.list();
    if (list === undefined) return [];
    const finder = new PriceFinder(list);
    return this.offers.all().flatMap((offer) => {
      const listed = this.offers.find(finder, offer);
      const prices = listed?.prices ?? null;
      // Models that are sold keep their price: it is changed where models are.
      return listed === undefined || prices === null || offer.isSold
        ? []
        : [{ offer, listed, prices }];
    });
  });
  protected readonly models = computed(() => this.#found().map(({ listed }) => listed));
  protected readonly changes = computed(() =>
    this.#found().map(({ offer, listed, prices }) => ({
      name: offer.upstreamName,
      source: listed.key === offer.upstreamName ? '' : listed.key,
      before: offer.proposal()?.listed.prices ?? null,
      after: prices,
    })),
  );

  protected use(): void {
    this.#dialog.close(this.list());
  }
}

/** The name of each list. */
export const LIST_NAMES = {
  weir: 'onboard.fromWeir',
  litellm: 'onboard.fromLitellm',
  'models.dev': 'onboard.fromModelsDev',
} as const;
