import { Component, computed, effect, inject, input } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { Api } from '../core/api/api';
import { Formatter } from '../core/format/formatter';
import { I18n, optionsOf } from '../core/i18n/i18n';
import { Address, idFrom } from '../core/state/address';
import { EmptyState } from '../design/feedback/empty-state';
import { Filter } from '../design/field/filter';
import type { Column } from '../design/table/column';
import { REQUEST_LINKS } from '../requests/request-links';
import { UsageLog } from './usage-log';
import { UsageState } from './usage-state';

const COLUMNS: readonly Column[] = [
  { id: 'time', header: 'record.time', width: '10.5rem', narrow: 'note' },
  { id: 'model', header: 'record.model', width: '1.6fr', narrow: 'title' },
  { id: 'key', header: 'record.key', width: '1.6fr', wideOnly: true },
  { id: 'status', header: 'record.status', width: '8rem' },
  { id: 'tokens', header: 'record.tokens', width: '8rem', align: 'end', narrow: 'detail' },
  { id: 'latency', header: 'record.latency', width: '5.5rem', align: 'end', wideOnly: true },
  { id: 'cost', header: 'record.cost', width: '6.5rem', align: 'end', narrow: 'value' },
];

@Component({
  selector: 'weir-usage',
  imports: [EmptyState, Filter, MatButton, UsageLog],
  template: `
    <weir-usage-log
      heading="usage.title"
      intro="usage.intro"
      [columns]="columns"
      [links]="links"
      [splits]="splits()"
      [state]="state"
    >
      <weir-filter
        [label]="t('usage.anyKey')"
        [options]="keys()"
        [value]="state.filters.keyId()"
        (valueChange)="address.say('key', $event)"
      />
      @if (state.filters.any()) {
        <button clear matButton type="button" (click)="clear()">{{ t('action.clear') }}</button>
      }
      @if (state.filters.any()) {
        <weir-empty-state icon="search" [heading]="t('usage.noneFound')">
          <button matButton="outlined" type="button" (click)="state.filters.clear()">
            {{ t('action.clear') }}
          </button>
        </weir-empty-state>
      } @else {
        <weir-empty-state icon="usage" [heading]="t('usage.none')" [hint]="t('usage.noneHint')" />
      }
    </weir-usage-log>
  `,
})
export class Usage {
  /** It says which key's usage is shown. */
  protected readonly address = inject(Address);
  protected readonly t = inject(I18n).t;
  protected readonly columns = COLUMNS;
  protected readonly links = REQUEST_LINKS;
  protected readonly state = new UsageState(inject(Api), inject(Formatter).today);
  protected readonly splits = optionsOf(['model', 'key'], (by) =>
    by === 'key' ? 'usage.byKey' : 'usage.byModel',
  );
  protected readonly keys = computed(() => this.state.keyOptions(this.t('usage.otherKey')));

  /** Query parameter: a key to look at. */
  readonly key = input<string>();

  constructor() {
    void this.state.keys.load();
    effect(() => this.state.filters.keyId.set(idFrom(this.key())));
  }

  protected clear(): void {
    this.state.filters.clear();
    this.address.say('key', '');
  }
}
