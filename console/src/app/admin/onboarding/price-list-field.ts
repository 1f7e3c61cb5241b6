import { Component, inject, output, signal } from '@angular/core';
import { FormControl } from '@angular/forms';
import { MatButton } from '@angular/material/button';
import type { PriceList, PriceListFault } from '@weir/shared/prices/price-lists/price-list';
import { readPriceList } from '@weir/shared/prices/price-lists/read-price-list';
import { I18n } from '../../core/i18n/i18n';
import { IntoView } from '../../design/feedback/into-view';
import { Note } from '../../design/feedback/note';
import { TextArea } from '../../design/field/text-area';
import { Icon } from '../../design/icon/icon';

/** More is no list of prices; both known ones have a tenth of it. */
const FILE_BYTES_MAX = 50 * 1024 * 1024;

/** A price list from a file or pasted; what is wrong with it is said here. */
@Component({
  selector: 'weir-price-list-field',
  imports: [Icon, IntoView, MatButton, Note, TextArea],
  template: `
    <p class="soft">{{ t('onboard.listHint') }}</p>
    <div class="cluster">
      <button matButton="filled" type="button" (click)="file.click()">
        <weir-icon matButtonIcon name="upload" />{{ t('onboard.listFile') }}
      </button>
      <span class="soft small">{{ t('onboard.listOr') }}</span>
      <input
        #file
        hidden
        type="file"
        accept=".json,application/json"
        data-testid="price-list-file"
        [attr.aria-label]="t('onboard.listFile')"
        (change)="take(file)"
      />
    </div>
    <weir-text-area
      [mono]="true"
      [rows]="4"
      [control]="text"
      [label]="t('onboard.listPaste')"
      placeholder='{"gpt-4o": {"input_cost_per_token": 2.5e-06, …'
    />
    @if (wrong(); as words) {
      <weir-note weirIntoView tone="warn">{{ words }}</weir-note>
    }
  `,
  styles: `
    :host {
      display: flex;
      flex-direction: column;
      gap: var(--weir-gap-3);
    }
  `,
})
export class PriceListField {
  protected readonly t = inject(I18n).t;
  protected readonly text = new FormControl('', { nonNullable: true });
  protected readonly wrong = signal('');
  readonly read = output<PriceList>();

  constructor() {
    this.text.valueChanges.subscribe((text) => {
      if (text.trim() === '') this.wrong.set('');
      else this.#judge(text);
    });
  }

  protected async take(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? [];
    // The same file again is a choice too: it may have been mended.
    input.value = '';
    if (file === undefined) return;
    if (file.size > FILE_BYTES_MAX) {
      this.wrong.set(this.t('onboard.listTooLarge'));
      return;
    }
    this.#judge(await file.text());
  }

  #judge(text: string): void {
    const list = readPriceList(text);
    if ('kind' in list) {
      this.wrong.set(this.#wordsFor(list));
      return;
    }
    this.wrong.set('');
    this.read.emit(list);
  }

  #wordsFor(fault: PriceListFault): string {
    if (fault.kind === 'json') return this.t('onboard.listJson', { detail: fault.detail });
    return this.t(`onboard.list.${fault.kind}`);
  }
}
