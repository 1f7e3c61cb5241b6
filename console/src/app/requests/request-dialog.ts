import { Component, inject } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule } from '@angular/material/dialog';
import { RouterLink } from '@angular/router';
import { PROTOCOL_IDS } from '@weir/shared/protocols';
import type { FailedAttemptView, RequestAdminView, RequestView } from '@weir/shared/requests';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { protocolWord } from '../core/i18n/protocol-words';
import { CopyButton } from '../design/code/copy-button';
import { Note } from '../design/feedback/note';
import { Chip } from '../design/text/chip';
import { Money } from '../design/text/money';
import { Time } from '../design/text/time';
import { requestTone } from './request-words';

/**
 * One request: how it ended, what its client was told and, for operators, what each upstream said.
 */
@Component({
  selector: 'weir-request-dialog',
  imports: [Chip, CopyButton, MatButton, MatDialogModule, Money, Note, RouterLink, Time],
  templateUrl: './request-dialog.html',
  styles: `
    .id {
      display: flex;
      align-items: center;
      gap: var(--weir-gap-1);
    }

    .attempts {
      display: grid;
      gap: var(--weir-gap-3);
      margin: 0;
      padding: 0;
      list-style: none;
    }

    .attempt {
      padding: var(--weir-gap-3) var(--weir-gap-4);
      border: 1px solid var(--weir-line);
      border-radius: var(--weir-radius-m);
    }

    .words {
      margin-top: var(--weir-gap-2);
      overflow-wrap: anywhere;
    }
  `,
})
export class RequestDialog {
  protected readonly t = inject(I18n).t;
  protected readonly formatter = inject(Formatter);
  protected readonly request = inject<RequestView | RequestAdminView>(MAT_DIALOG_DATA);
  /** What only operators are told. */
  protected readonly admin = 'failedAttempts' in this.request ? this.request : null;
  /** None for a protocol of a newer server. */
  protected readonly protocol = protocolWord(
    PROTOCOL_IDS.find((id) => id === this.request.protocol) ?? null,
  );
  protected readonly tone = requestTone(this.request.code);
  /** A reply came from the channel after those that failed. */
  protected readonly servedBy =
    this.admin !== null &&
    this.admin.channelId !== null &&
    this.request.attempts > this.admin.failedAttempts.length
      ? (this.admin.channelName ?? this.admin.channelId)
      : null;

  protected whatFailed({ upstreamStatus, failure }: FailedAttemptView): string {
    const status = upstreamStatus === null ? '' : `HTTP ${String(upstreamStatus)}`;
    return [status, failure ?? ''].filter((part) => part !== '').join(' · ');
  }
}
