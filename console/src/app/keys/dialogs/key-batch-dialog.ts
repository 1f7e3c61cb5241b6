import { Component, computed, DOCUMENT, inject, signal } from '@angular/core';
import { MatButton } from '@angular/material/button';
import { csvHeader, csvLine } from '@weir/shared/csv';
import { KEY_BATCH_MAX, type KeyBatchCreated } from '@weir/shared/people/keys';
import { AccountField } from '../../admin/accounts/finder/account-field';
import { Api } from '../../core/api/api';
import type { Done } from '../../core/api/call-input';
import { I18n } from '../../core/i18n/i18n';
import { OperationKeys } from '../../core/state/operation-keys';
import { CopyButton } from '../../design/code/copy-button';
import { downloadFile } from '../../design/code/download-file';
import type { PreventsClose } from '../../design/dialog/dialogs';
import { FORM_DIALOG } from '../../design/dialog/form-parts';
import { Note } from '../../design/feedback/note';
import { Icon } from '../../design/icon/icon';
import { DialogWork } from '../../design/resource/resource-dialog';
import { KeyBatchForm } from '../forms/key-batch-form';
import { KeyChoices } from '../key-choices';
import { KeyFields } from '../forms/key-fields';
import { KeyOwnerFields } from '../forms/key-owner-fields';

/** What it is opened with. */
export interface KeyBatchDialogData {
  /** By an administrator, for an account that is chosen in the dialog. */
  readonly forAccount: boolean;
}

/** Makes several keys and shows them once, to be copied or downloaded. */
@Component({
  selector: 'weir-key-batch-dialog',
  imports: [
    AccountField,
    CopyButton,
    FORM_DIALOG,
    Icon,
    KeyFields,
    KeyOwnerFields,
    MatButton,
    Note,
  ],
  templateUrl: './key-batch-dialog.html',
  styleUrl: './key-batch-dialog.scss',
})
export class KeyBatchDialog implements PreventsClose {
  readonly #api = inject(Api);
  readonly #document = inject(DOCUMENT);
  readonly #keys = inject(OperationKeys);
  protected readonly t = inject(I18n).t;
  protected readonly dialog = new DialogWork<KeyBatchDialogData>();
  protected readonly form = new KeyBatchForm(this.dialog.data);
  protected readonly choices = new KeyChoices(this.#api, this.form.key, this.t);
  protected readonly countMax = KEY_BATCH_MAX;
  protected readonly created = signal<KeyBatchCreated['keys'] | undefined>(undefined);
  /** Made by an earlier try whose answer was lost, and their values with it. */
  protected readonly before = signal(false);
  /** As the file has them, without its first line. */
  protected readonly lines = computed(() =>
    (this.created() ?? []).map(({ name, value }) => csvLine([name, value ?? ''])).join(''),
  );

  preventsClose(): boolean {
    return this.created() !== undefined;
  }

  protected download(): void {
    downloadFile(this.#document, {
      name: 'weir-keys.csv',
      text: csvHeader(['name', 'key']) + this.lines(),
      type: 'text/csv;charset=utf-8',
    });
  }

  protected create(): Promise<void> {
    return this.dialog.run(async () => {
      const { value, before } = await this.#send();
      this.before.set(before);
      this.created.set(value.keys);
      return undefined;
    });
  }

  #send(): Promise<Done<KeyBatchCreated>> {
    if (this.dialog.data.forAccount) {
      const accountId = this.form.controls.accountId.value;
      const batch = { body: { accountId, ...this.form.body() } };
      return this.#keys.act(batch, (idempotencyKey) =>
        this.#api.callOnce('createKeyBatchForAccount', { ...batch, idempotencyKey }),
      );
    }
    const batch = { body: this.form.body() };
    return this.#keys.act(batch, (idempotencyKey) =>
      this.#api.callOnce('createKeyBatch', { ...batch, idempotencyKey }),
    );
  }
}
