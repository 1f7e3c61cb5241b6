import { Component, computed, inject, input, signal } from '@angular/core';
import { MatSlideToggle } from '@angular/material/slide-toggle';
import { CHANNEL_SORTS } from '@weir/shared/catalog/channel-lists';
import type { ChannelView } from '@weir/shared/catalog/channels';
import { Activities } from '../../activity/activities';
import { ActivityCells } from '../../activity/activity-cells';
import { ACTIVITY_COLUMNS } from '../../activity/activity-columns';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { statusOptions } from '../../core/i18n/options';
import { Address } from '../../core/state/address';
import { filteredList } from '../../core/state/filtered-list';
import { Loadable } from '../../core/state/loadable';
import { Selection } from '../../core/state/selection';
import { Dialogs } from '../../design/dialog/dialogs';
import { Toasts } from '../../design/feedback/toasts';
import { BulkChanges } from '../../design/bulk/bulk-changes';
import { TABLE_PAGE } from '../../design/page/page-parts';
import { BulkBar } from '../../design/table/bulk-bar';
import type { Column } from '../../design/table/column';
import { addressChoice, addressSearch } from '../../core/state/address-value';
import { FilterBar } from '../../views/filter-bar';
import { orderFrom } from '../../design/table/sort-order';
import { isDemoActive } from '../overview/needs';
import { HEALTH_WORDS } from '../overview/overview-state';
import { channelBulkActs } from './channel-bulk-acts';
import { ChannelFailure } from './channel-failure';
import { balanceText } from './costs/balance-text';
import { MODEL_REASONS, modelsAway, REASON_WORDS } from './channel-words';

const COLUMNS: readonly Column[] = [
  { id: 'name', header: 'keys.name', width: '2fr', narrow: 'title', sort: 'name' },
  { id: 'health', header: 'channels.health', width: '6.5rem', narrow: 'note', sort: 'health' },
  ACTIVITY_COLUMNS.requests,
  ACTIVITY_COLUMNS.errors,
  ACTIVITY_COLUMNS.firstByte,
  ACTIVITY_COLUMNS.spend,
  ACTIVITY_COLUMNS.hours,
  { id: 'balance', header: 'channels.balance', width: '5.5rem', align: 'end', wideOnly: true },
  { id: 'inUse', header: 'channels.inUseHead', width: '3.25rem', narrow: 'value' },
  { id: 'test', header: '', width: '4.5rem', align: 'end', narrow: 'actions' },
];

@Component({
  selector: 'weir-channels',
  imports: [ActivityCells, BulkBar, ChannelFailure, MatSlideToggle, FilterBar, TABLE_PAGE],
  template: `
    <weir-page [heading]="t('channels.title')" [intro]="t('channels.intro')">
      <a pageAction matButton="filled" routerLink="/admin/channels/new" data-testid="create">
        <weir-icon matButtonIcon name="plus" />{{ t('channels.create') }}
      </a>
      @if (isDemoActive(list.rows())) {
        <weir-note tone="warn">{{ t('overview.troubleDemo') }}</weir-note>
      }
      <weir-filter-bar list="channels">
        <weir-search-box [label]="t('channels.search')" [(value)]="search" />
        <weir-filter chip [label]="t('state.any')" [options]="statuses()" [(value)]="status" />
      </weir-filter-bar>
      <weir-activity-cells #figures [activities]="activities" [rows]="list.rows()" />
      <weir-bulk-bar [selection]="selection" [acts]="acts" />
      <weir-data-table
        [selection]="selection"
        [label]="t('channels.title')"
        [list]="list"
        [columns]="columns"
        [moreCells]="figures.cells()"
        [order]="order()"
        (orderChange)="address.say('sort', $event)"
      >
        <ng-template weirCell="name" [weirCellRows]="list.rows()" let-channel>
          <a class="row-link clip" [routerLink]="['/admin/channels', channel.id]">{{
            channel.name
          }}</a>
          @if (channel.health.failure; as failure) {
            <weir-channel-failure class="one-line" [about]="failure" />
          } @else {
            <span class="small soft clip block">
              {{ addressOf(channel) }} ·
              {{ t('keys.groupModels', { count: channel.models.length }) }}
            </span>
          }
        </ng-template>
        <ng-template weirCell="health" [weirCellRows]="list.rows()" let-channel>
          @if (channel.status === 'disabled') {
            <weir-chip>{{ t('state.disabled') }}</weir-chip>
          } @else {
            <weir-chip [tone]="health[channel.health.state].tone">{{
              t(health[channel.health.state].key)
            }}</weir-chip>
          }
          @for (reason of modelReasons; track reason) {
            @if (modelsAway(channel, reason).length; as count) {
              <span class="small warn clip block">{{
                t(reasonWords[reason].count, { count })
              }}</span>
            }
          }
        </ng-template>
        <ng-template weirCell="balance" [weirCellRows]="list.rows()" let-channel>
          @if (balanceOf(channel); as balance) {
            <span class="small soft" data-testid="balance" [title]="balance.title">{{
              balance.words
            }}</span>
          }
        </ng-template>
        <ng-template weirCell="inUse" [weirCellRows]="list.rows()" let-channel>
          <mat-slide-toggle
            [hideIcon]="true"
            [checked]="channel.status === 'active'"
            [disabled]="switching() === channel.id"
            [aria-label]="t('channels.inUse', { name: channel.name })"
            (change)="setStatus(channel, $event.checked ? 'active' : 'disabled')"
          />
        </ng-template>
        <ng-template weirCell="test" [weirCellRows]="list.rows()" let-channel>
          <button
            matButton
            type="button"
            [attr.aria-label]="t('channels.testNamed', { name: channel.name })"
            [disabled]="testing() === channel.id"
            (click)="tryOut(channel)"
          >
            {{ testing() === channel.id ? t('channels.testing') : t('channels.test') }}
          </button>
        </ng-template>
        @if (search() === '' && status() === '') {
          <weir-empty-state
            icon="channels"
            [heading]="t('channels.none')"
            [hint]="t('channels.noneHint')"
          >
            <a matButton="filled" routerLink="/admin/channels/new">{{ t('channels.create') }}</a>
          </weir-empty-state>
        } @else {
          <weir-empty-state icon="search" [heading]="t('channels.noneFound')" />
        }
      </weir-data-table>
    </weir-page>
  `,
  styles: `
    .block {
      display: block;
    }

    .one-line {
      -webkit-line-clamp: 1;
      line-clamp: 1;
    }
  `,
})
export class Channels {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly health = HEALTH_WORDS;
  protected readonly modelReasons = MODEL_REASONS;
  protected readonly reasonWords = REASON_WORDS;
  protected readonly modelsAway = modelsAway;
  protected readonly isDemoActive = isDemoActive;
  protected readonly switching = signal<string | undefined>(undefined);
  protected readonly testing = signal<string | undefined>(undefined);
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly address = inject(Address);
  protected readonly order = computed(() => orderFrom(this.sort(), CHANNEL_SORTS, '-priority'));
  protected readonly search = addressSearch('search');
  protected readonly status = addressChoice('status', ['active', 'disabled']);
  protected readonly statuses = statusOptions();
  protected readonly list = filteredList(
    () => ({ search: this.search(), status: this.status(), sort: this.order() }),
    // There are few, and they come whole.
    async ({ cursor: _whole, ...query }) => ({
      ...(await this.#api.call('listChannels', { query })),
      nextCursor: null,
    }),
  );
  protected readonly columns = COLUMNS;
  protected readonly activities = new Activities(this.list.rows, (ids) =>
    this.#api.call('listActivities', { query: { kind: 'channel', ids } }),
  );
  protected readonly selection = new Selection(this.list, {
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
  });
  protected readonly acts = channelBulkActs({
    t: this.t,
    bulk: new BulkChanges<ChannelView>({
      dialogs: inject(Dialogs),
      toasts: this.#toasts,
      selection: this.selection,
      list: this.list,
      filters: () => ({}),
      send: ({ body, dryRun }, idempotencyKey) =>
        this.#api.call('changeChannelsInBulk', { body: { ...body, dryRun }, idempotencyKey }),
    }),
  });

  readonly #balances = new Loadable(
    async () => (await this.#api.call('listUpstreamBalances')).data,
  );

  constructor() {
    void this.#balances.load();
  }

  /** Without the scheme, which nearly all have in common. */
  protected addressOf({ baseUrl }: ChannelView): string {
    return baseUrl.replace(/^https:\/\//, '');
  }

  /** Returns the balance at its upstream, if it is known; otherwise the list has none. */
  protected balanceOf({ id }: ChannelView): { words: string; title: string } | undefined {
    const told = this.#balances.value()?.find(({ channelId }) => channelId === id);
    if (told === undefined) return undefined;
    const amount = balanceText(this.formatter, told);
    if (amount !== undefined) {
      const time = told.readAt === null ? '' : this.formatter.recentMoment(told.readAt);
      return {
        words: amount,
        title: told.error ?? this.t('balance.read', { time }),
      };
    }
    if (told.error === null) return undefined;
    return { words: this.t('balance.unreadable'), title: told.error };
  }

  protected async setStatus(channel: ChannelView, status: ChannelView['status']): Promise<void> {
    this.switching.set(channel.id);
    try {
      await this.#change(channel, status);
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
      // The switch shows what is, not what was wanted.
      await this.list.load();
    } finally {
      this.switching.set(undefined);
    }
  }

  async #change(channel: ChannelView, status: ChannelView['status']): Promise<void> {
    const params = { channelId: channel.id };
    const updated = await this.#api.call('updateChannel', {
      params,
      ifMatch: '*',
      body: { status },
    });
    this.list.replace(updated);
  }

  protected async tryOut(channel: ChannelView): Promise<void> {
    this.testing.set(channel.id);
    try {
      const params = { channelId: channel.id };
      const test = await this.#api.call('testChannel', { params, body: {} });
      this.#toasts.info(
        test.ok
          ? this.t('channels.testOk', {
              name: channel.name,
              time: this.formatter.duration(test.latencyMs),
            })
          : this.t('channels.testFailed', { name: channel.name }),
      );
      await this.list.load();
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    } finally {
      this.testing.set(undefined);
    }
  }
}
