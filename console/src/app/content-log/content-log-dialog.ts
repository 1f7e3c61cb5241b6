import { Component, computed, inject, signal } from '@angular/core';
import { FormControl } from '@angular/forms';
import { toSignal } from '@angular/core/rxjs-interop';
import { MatButton } from '@angular/material/button';
import { MatDialogModule } from '@angular/material/dialog';
import type { ContentPolicyView } from '@weir/shared/watch/content-log';
import type { KeyView } from '@weir/shared/people/keys';
import { Api } from '../core/api/api';
import { I18n, type PlainKey } from '../core/i18n/i18n';
import { Session } from '../core/session/session';
import { FailureNote } from '../design/feedback/failure-note';
import { Note } from '../design/feedback/note';
import { Pills } from '../design/field/pills';
import { Switch } from '../design/field/switch';
import { DialogWork } from '../design/resource/resource-dialog';
import { mayKeepContentOf } from '../keys/key-status';
import { daysToChoose } from './days-to-choose';

export interface ContentLogDialogData {
  readonly key: KeyView;
  readonly policy: ContentPolicyView;
}

/** Switches the content log of a key on, after a confirmation, or off. */
@Component({
  selector: 'weir-content-log-dialog',
  imports: [FailureNote, MatButton, MatDialogModule, Note, Pills, Switch],
  template: `
    <h2 mat-dialog-title>{{ t('content.logOf', { name: key.name }) }}</h2>
    <mat-dialog-content class="stack" [attr.aria-busy]="work.action.busy()">
      <p>{{ t('content.explain') }}</p>
      @if (!mayKeep) {
        <weir-note>{{ t(whyNot()) }}</weir-note>
      } @else {
        <p class="strong">{{ t('content.days') }}</p>
        <weir-pills [label]="t('content.days')" [options]="days" [(value)]="chosen" />
        <weir-switch
          data-testid="understood"
          [control]="understood"
          [label]="t('content.understood')"
          [hint]="t('content.understoodHint')"
        />
      }
      <weir-switch [control]="erase" [label]="t('content.erase')" [hint]="t('content.eraseHint')" />
      @if (work.action.failure(); as failure) {
        <weir-failure-note [failure]="failure" />
      }
    </mat-dialog-content>
    <mat-dialog-actions align="end">
      <button matButton type="button" mat-dialog-close>{{ t('action.cancel') }}</button>
      <button
        matButton
        type="button"
        data-testid="switch-off"
        [disabled]="work.action.busy()"
        (click)="save(false)"
      >
        {{ t(isOn ? 'content.switchOff' : 'content.keepOff') }}
      </button>
      @if (mayKeep) {
        <button
          matButton="filled"
          type="button"
          data-testid="switch-on"
          [disabled]="work.action.busy() || !isUnderstood()"
          (click)="save(true)"
        >
          {{ t(isOn ? 'action.save' : 'content.switchOn') }}
        </button>
      }
    </mat-dialog-actions>
  `,
})
export class ContentLogDialog {
  readonly #api = inject(Api);
  readonly #session = inject(Session);
  protected readonly t = inject(I18n).t;
  protected readonly work = new DialogWork<ContentLogDialogData, KeyView>();
  protected readonly key = this.work.data.key;
  protected readonly policy = this.work.data.policy;
  protected readonly isOn = this.key.contentLog !== null;
  readonly #isOwner = mayKeepContentOf(this.key, {
    memberId: this.#session.membership()?.memberId,
    email: this.#session.user()?.email,
  });
  protected readonly mayKeep = this.policy.allowed && this.policy.daysMax > 0 && this.#isOwner;
  protected readonly days = daysToChoose(this.policy.daysMax).map((value) => ({
    value: String(value),
    label: this.t('content.dayCount', { count: value }),
  }));
  protected readonly chosen = signal(
    String(this.key.contentLog?.days ?? daysToChoose(this.policy.daysMax).at(-1) ?? 1),
  );
  protected readonly understood = new FormControl(false, { nonNullable: true });
  protected readonly erase = new FormControl(false, { nonNullable: true });
  readonly #understood = toSignal(this.understood.valueChanges, { initialValue: false });
  protected readonly isUnderstood = computed(() => this.#understood());

  protected whyNot(): PlainKey {
    if (this.policy.daysMax === 0) return 'content.operatorForbids';
    return this.policy.allowed ? 'content.notYours' : 'content.accountForbids';
  }

  protected save(enabled: boolean): Promise<void> {
    const erase = this.erase.value;
    const body = enabled ? { enabled, days: Number(this.chosen()), erase } : { enabled, erase };
    const params = { keyId: this.key.id };
    return this.work.run(() => this.#api.call('setContentLog', { params, body }));
  }
}
