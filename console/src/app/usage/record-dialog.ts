import { Component, computed, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule } from '@angular/material/dialog';
import type { PriceLine, UsageRecordAdminView, UsageRecordView } from '@weir/shared/usage';
import { RouterLink } from '@angular/router';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { CopyButton } from '../design/code/copy-button';
import { Note } from '../design/feedback/note';
import { Chip } from '../design/text/chip';
import { Money } from '../design/text/money';
import { Time } from '../design/text/time';
import { RECORD_STATUS } from './record-words';
import { protocolWord } from '../core/i18n/protocol-words';

/** One request's bill: how the cost came about, line by line, and where it was taken from. */
@Component({
  selector: 'weir-record-dialog',
  imports: [Chip, CopyButton, MatButton, MatDialogModule, Money, Note, RouterLink, Time],
  templateUrl: './record-dialog.html',
  styles: `
    tfoot th,
    tfoot td {
      font-weight: 650;
      color: var(--weir-text);
      border-top: 1px solid var(--weir-outline);
    }

    .id {
      display: flex;
      align-items: center;
      gap: var(--weir-gap-1);
    }
  `,
})
export class RecordDialog {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly record = inject<UsageRecordView | UsageRecordAdminView>(MAT_DIALOG_DATA);
  protected readonly protocol = protocolWord(this.record.protocol);
  /** What the upstream was spoken to in, where that was another protocol. */
  protected readonly translated =
    this.record.upstreamProtocol === this.record.protocol
      ? null
      : protocolWord(this.record.upstreamProtocol);
  protected readonly status = RECORD_STATUS[this.record.status];

  protected readonly channel = computed(() =>
    'channelName' in this.record ? this.record.channelName : null,
  );
  protected readonly account = computed(() =>
    'accountName' in this.record ? this.record.accountName : null,
  );
  /** A quantity as people say it, such as "3 images 1024x1536 high" or "42.3 s". */
  protected quantityOf({ part, quantity, variant = '' }: PriceLine): string {
    if (part === 'second') return this.t('record.seconds', { count: quantity / 1_000 });
    if (part !== 'image') return this.formatter.number(quantity);
    return `${this.t('record.images', { count: quantity })} ${variant}`.trim();
  }

  /** The request log has what the bill has not: attempts and codes. */
  protected readonly logAddress = 'accountName' in this.record ? '/admin/requests' : '/requests';
  /** What the cost was taken from; sources that gave nothing are left out. */
  protected readonly sources = computed(() =>
    (
      [
        ['record.fromBalance', this.record.fromBalanceUsd],
        ['record.fromSubscription', this.record.fromSubscriptionUsd],
        ['record.uncollected', this.record.uncollectedUsd],
      ] as const
    ).filter(([, usd]) => usd !== '0'),
  );
}
