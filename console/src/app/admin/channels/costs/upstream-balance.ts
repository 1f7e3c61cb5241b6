import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { MatButton } from '@angular/material/button';
import type { ChannelView } from '@weir/shared/catalog/channels';
import type { UpstreamBalanceView } from '@weir/shared/prices/upstream-balances';
import { Api } from '../../../core/api/api';
import { Formatter } from '../../../core/format/formatter';
import { I18n } from '../../../core/i18n/i18n';
import { Action } from '../../../core/state/action';
import { FailureNote } from '../../../design/feedback/failure-note';
import { Time } from '../../../design/text/time';
import { balanceText } from './balance-text';

/** Shows the balance at the upstream of a channel; nothing if the upstream does not report one. */
@Component({
  selector: 'weir-upstream-balance',
  imports: [FailureNote, MatButton, Time],
  template: `
    @if (told(); as told) {
      <div class="split" data-testid="upstream-balance">
        <p class="words">
          <span class="strong">{{ t('balance.title') }}</span>&ngsp;
          @if (amount(); as amount) {
            <span class="numeric">{{ amount }}</span>&ngsp;
          }
          <span class="small soft">
            @if (told.readAt; as at) {
              <weir-time [at]="at" as="recent-moment" />
            } @else {
              {{ t('balance.never') }}
            }
          </span>
          @if (told.error; as error) {
            <span class="small bad" data-testid="balance-error">{{
              t('balance.failed', { error })
            }}</span>
          }
        </p>
        <button
          matButton
          type="button"
          data-testid="refresh-balance"
          [disabled]="reading.busy()"
          (click)="refresh()"
        >
          {{ reading.busy() ? t('balance.refreshing') : t('balance.refresh') }}
        </button>
      </div>
      @if (reading.failure(); as failure) {
        <weir-failure-note [failure]="failure" />
      }
    }
  `,
  styles: `
    .words {
      flex: 1 1 12rem;
      min-width: 0;
      overflow-wrap: anywhere;
    }

    .bad {
      display: block;
      color: var(--weir-bad);
    }
  `,
})
export class UpstreamBalance {
  readonly #api = inject(Api);
  protected readonly t = inject(I18n).t;
  readonly #formatter = inject(Formatter);
  readonly channel = input.required<ChannelView>();
  protected readonly told = signal<UpstreamBalanceView | undefined>(undefined);
  protected readonly reading = new Action();
  protected readonly amount = computed(() => {
    const told = this.told();
    return told === undefined ? undefined : balanceText(this.#formatter, told);
  });

  constructor() {
    effect(() => {
      const { id } = this.channel();
      untracked(() => void this.#load(id));
    });
  }

  /** Not the page's subject: a failure to read it is not shown. */
  async #load(channelId: string): Promise<void> {
    const list = await this.#api.call('listUpstreamBalances').catch(() => undefined);
    this.told.set(list?.data.find((balance) => balance.channelId === channelId));
  }

  protected async refresh(): Promise<void> {
    const params = { channelId: this.channel().id };
    await this.reading.run(async () => {
      this.told.set(await this.#api.call('readUpstreamBalance', { params }));
    });
  }
}
