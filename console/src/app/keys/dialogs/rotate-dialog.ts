import { Component, computed, inject, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { MAT_DIALOG_DATA, MatDialogModule, MatDialogRef } from '@angular/material/dialog';
import type { KeyCreated, KeyView } from '@weir/shared/people/keys';
import { Api } from '../../core/api/api';
import { I18n } from '../../core/i18n/i18n';
import { Action } from '../../core/state/action';
import { SecretReveal } from '../../design/code/secret-reveal';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { FailureNote } from '../../design/feedback/failure-note';
import { Pills } from '../../design/field/pills';
import { FreshKeys } from '../fresh-keys';
import { withoutValue } from '../without-value';

const HOUR_SECONDS = 3_600;

/** How long the former value still works. */
const OVERLAPS = {
  none: 0,
  hour: HOUR_SECONDS,
  day: 24 * HOUR_SECONDS,
  week: 7 * 24 * HOUR_SECONDS,
  month: 30 * 24 * HOUR_SECONDS,
} as const;

type Overlap = keyof typeof OVERLAPS;

/** Gives a key a new value. */
@Component({
  selector: 'weir-rotate-dialog',
  imports: [FailureNote, MatButton, MatDialogModule, Pills, SecretReveal],
  template: `
    <h2 mat-dialog-title>{{ t('keys.rotateTitle', { name: key.name }) }}</h2>
    <mat-dialog-content class="stack" [attr.aria-busy]="action.busy()">
      @if (rotated(); as rotated) {
        <weir-secret-reveal
          [secret]="rotated.value"
          [what]="t('keys.theKey')"
          [warning]="t('keys.onceWarning')"
        />
      } @else {
        <p>{{ t('keys.rotateHint') }}</p>
        <p class="strong">{{ t('keys.overlap') }}</p>
        <weir-pills [label]="t('keys.overlap')" [options]="overlaps()" [(value)]="overlap" />
        @if (action.failure(); as failure) {
          <weir-failure-note [failure]="failure" />
        }
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      @if (rotated(); as rotated) {
        <button matButton="filled" type="button" (click)="finish(rotated)">
          {{ t('keys.stored') }}
        </button>
      } @else {
        <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
        <button
          matButton="filled"
          type="button"
          data-testid="rotate"
          [disabled]="action.busy()"
          (click)="rotate()"
        >
          {{ t('keys.rotate') }}
        </button>
      }
    </mat-dialog-actions>
  `,
})
export class RotateDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #fresh = inject(FreshKeys);
  readonly #dialog = inject<MatDialogRef<RotateDialog, KeyView>>(MatDialogRef);
  protected readonly t = inject(I18n).t;
  protected readonly key = inject<KeyView>(MAT_DIALOG_DATA);
  protected readonly action = new Action();
  protected readonly overlap = signal<Overlap>('day');
  protected readonly rotated = signal<KeyCreated | undefined>(undefined);
  protected readonly overlaps = computed(() => [
    { value: 'none' as const, label: this.t('keys.overlapNone') },
    { value: 'hour' as const, label: this.t('keys.overlapHour') },
    { value: 'day' as const, label: this.t('keys.overlapDay') },
    { value: 'week' as const, label: this.t('keys.overlapWeek') },
    { value: 'month' as const, label: this.t('keys.overlapMonth') },
  ]);

  preventsClose(): boolean {
    return this.rotated() !== undefined;
  }

  protected async rotate(): Promise<void> {
    await this.action.run(async () => {
      const rotated = await this.#api.call('rotateKey', {
        params: { keyId: this.key.id },
        body: { overlapSeconds: OVERLAPS[this.overlap()] },
      });
      this.#fresh.remember(rotated.id, rotated.value);
      this.rotated.set(rotated);
    });
  }

  protected finish(rotated: KeyCreated): void {
    this.#dialog.close(withoutValue(rotated));
  }
}
