import { Component, computed, inject, input, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MatSlideToggle } from '@angular/material/slide-toggle';
import { RouterLink } from '@angular/router';
import type { ChannelView } from '@weir/shared/channels';
import { Api } from '../../core/api/api';
import { failureOf } from '../../core/api/api-failure';
import { Formatter } from '../../core/format/formatter';
import { I18n } from '../../core/i18n/i18n';
import { Address } from '../../core/state/address';
import { Loadable } from '../../core/state/loadable';
import { Selection } from '../../core/state/selection';
import { Dialogs } from '../../design/dialog/dialogs';
import { EmptyState } from '../../design/feedback/empty-state';
import { FailureNote } from '../../design/feedback/failure-note';
import { Note } from '../../design/feedback/note';
import { Skeleton } from '../../design/feedback/skeleton';
import { Toasts } from '../../design/feedback/toasts';
import { Filter } from '../../design/field/filter';
import { Icon } from '../../design/icon/icon';
import { BulkChanges } from '../../design/bulk/bulk-changes';
import { BulkBar } from '../../design/table/bulk-bar';
import { orderFrom } from '../../design/table/sort-order';
import { Page } from '../../design/page/page';
import { Chip } from '../../design/text/chip';
import { HEALTH_WORDS, isDemoActive } from '../overview/overview-state';
import { channelBulkActs } from './channel-bulk-acts';
import { ChannelFailure } from './channel-failure';
import { balanceText } from './balance-text';
import { CHANNEL_ORDERS, sortChannels, type ChannelOrder } from './sort-channels';
import { KIND_WORDS, MODEL_REASONS, modelsAway, REASON_WORDS } from './channel-words';

@Component({
  selector: 'weir-channels',
  imports: [
    BulkBar,
    ChannelFailure,
    Chip,
    EmptyState,
    FailureNote,
    Filter,
    Icon,
    MatButton,
    MatSlideToggle,
    Note,
    Page,
    RouterLink,
    Skeleton,
  ],
  template: `
    <weir-page [heading]="t('channels.title')" [intro]="t('channels.intro')">
      <a pageAction matButton="filled" routerLink="/admin/channels/new" data-testid="create">
        <weir-icon matButtonIcon name="plus" />{{ t('channels.create') }}
      </a>
      @if (channels.failure(); as failure) {
        <weir-failure-note [failure]="failure" [retryable]="true" (retry)="channels.load()" />
      }
      @if (isDemoActive(channels.value() ?? [])) {
        <weir-note tone="warn">{{ t('overview.troubleDemo') }}</weir-note>
      }
      @if ((channels.value()?.length ?? 0) > 1) {
        <weir-filter
          [label]="t('table.order')"
          [options]="orders()"
          [value]="order()"
          (valueChange)="address.say('sort', $event)"
        />
      }
      <weir-bulk-bar [selection]="selection" [acts]="acts" />
      <div class="card card-flush rows">
        @if (channels.waiting()) {
          @for (line of lines; track line) {
            <div><weir-skeleton width="60%" height="2.75rem" /></div>
          }
        }
        @for (channel of sorted(); track channel.id) {
          @let test = channel.health.lastTest;
          <div class="split">
            <input
              type="checkbox"
              class="select"
              [attr.aria-label]="t('bulk.select', { name: channel.name })"
              [checked]="selection.has(channel)"
              (change)="selection.toggle(channel)"
            />
            <div class="words">
              <p class="cluster">
                <a class="row-link" [routerLink]="['/admin/channels', channel.id]">{{
                  channel.name
                }}</a>
                @if (channel.status === 'disabled') {
                  <weir-chip>{{ t('state.disabled') }}</weir-chip>
                } @else {
                  <weir-chip [tone]="health[channel.health.state].tone">{{
                    t(health[channel.health.state].key)
                  }}</weir-chip>
                }
                @for (reason of modelReasons; track reason) {
                  @if (modelsAway(channel, reason).length; as count) {
                    <weir-chip tone="warn">{{ t(reasonWords[reason].count, { count }) }}</weir-chip>
                  }
                }
              </p>
              <p class="small soft">
                {{ t(words[channel.kind].name) }} · <code>{{ channel.baseUrl }}</code> ·
                {{ t('keys.groupModels', { count: channel.models.length }) }} ·
                {{ t('channels.order', { priority: channel.priority, weight: channel.weight }) }}
              </p>
              @if (channel.health.failure; as failure) {
                <weir-channel-failure [about]="failure" />
              }
            </div>
            <div class="cluster">
              @if (balanceOf(channel); as balance) {
                <span class="small soft" data-testid="balance" [title]="balance.title">{{
                  balance.words
                }}</span>
              }
              @if (test?.ok) {
                <span class="small soft numeric">{{ formatter.duration(test.latencyMs) }}</span>
              }
              <mat-slide-toggle
                [hideIcon]="true"
                [checked]="channel.status === 'active'"
                [disabled]="switching() === channel.id"
                [aria-label]="t('channels.inUse', { name: channel.name })"
                (change)="setStatus(channel, $event.checked ? 'active' : 'disabled')"
              />
              <button
                matButton="outlined"
                type="button"
                [attr.aria-label]="t('channels.testNamed', { name: channel.name })"
                [disabled]="testing() === channel.id"
                (click)="tryOut(channel)"
              >
                {{ testing() === channel.id ? t('channels.testing') : t('channels.test') }}
              </button>
            </div>
          </div>
        }
        @if (channels.value()?.length === 0) {
          <weir-empty-state
            icon="channels"
            [heading]="t('channels.none')"
            [hint]="t('channels.noneHint')"
          >
            <a matButton="filled" routerLink="/admin/channels/new">{{ t('channels.create') }}</a>
          </weir-empty-state>
        }
      </div>
    </weir-page>
  `,
  styles: `
    .select {
      flex: none;
      width: 1.125rem;
      height: 1.125rem;
      margin: 0;
      accent-color: var(--weir-brand);
      cursor: pointer;
    }

    .words {
      flex: 1 1 16rem;
      min-width: 0;
    }
  `,
})
export class Channels {
  readonly #api = inject(Api);
  readonly #toasts = inject(Toasts);
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly health = HEALTH_WORDS;
  protected readonly words = KIND_WORDS;
  protected readonly modelReasons = MODEL_REASONS;
  protected readonly reasonWords = REASON_WORDS;
  protected readonly modelsAway = modelsAway;
  protected readonly isDemoActive = isDemoActive;
  protected readonly lines = [1, 2, 3];
  protected readonly switching = signal<string | undefined>(undefined);
  protected readonly testing = signal<string | undefined>(undefined);
  protected readonly channels = new Loadable(
    async () => (await this.#api.call('listChannels')).data,
  );
  /** Query parameter: how the list is sorted. */
  readonly sort = input<string>();
  protected readonly address = inject(Address);
  protected readonly order = computed(() =>
    orderFrom<ChannelOrder>(this.sort(), CHANNEL_ORDERS, ''),
  );
  protected readonly orders = computed(() => [
    { value: 'name', label: this.t('table.ascending', { name: this.t('keys.name') }) },
    { value: '-name', label: this.t('table.descending', { name: this.t('keys.name') }) },
    { value: 'health', label: this.t('channels.worstFirst') },
  ]);
  protected readonly sorted = computed(() =>
    sortChannels(this.channels.value() ?? [], this.order()),
  );
  protected readonly selection = new Selection(
    { rows: this.sorted },
    {
      idOf: ({ id }) => id,
      nameOf: ({ name }) => name,
    },
  );
  protected readonly acts = channelBulkActs({
    t: this.t,
    bulk: new BulkChanges<ChannelView>({
      dialogs: inject(Dialogs),
      toasts: this.#toasts,
      selection: this.selection,
      list: this.channels,
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
    void this.channels.load();
  }

  /** What is left at its upstream, where that is known; else the list goes without it. */
  protected balanceOf({ id }: ChannelView): { words: string; title: string } | undefined {
    const told = this.#balances.value()?.find(({ channelId }) => channelId === id);
    if (told === undefined) return undefined;
    const amount = balanceText(this.formatter, told);
    if (amount !== undefined) {
      const time = told.readAt === null ? '' : this.formatter.recentMoment(told.readAt);
      return {
        words: this.t('balance.at', { amount }),
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
      await this.channels.load();
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
    const channels = this.channels.value() ?? [];
    this.channels.set(channels.map((known) => (known.id === updated.id ? updated : known)));
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
      await this.channels.load();
    } catch (thrown) {
      this.#toasts.error(failureOf(thrown));
    } finally {
      this.testing.set(undefined);
    }
  }
}
