import { inject } from '@angular/core';
import { MAT_DIALOG_DATA, MatDialogRef } from '@angular/material/dialog';
import type { Done, Tagged } from '../../core/api/call-input';
import { Action } from '../../core/state/action';
import { OperationKeys } from '../../core/state/operation-keys';
import { Toasts } from '../feedback/toasts';

/**
 * A dialog with a form: does its work once, closes with what came of it, and stays open to say why
 * when it fails. Needs the injection context of the dialog.
 */
// Named where it is made, so that what goes in is what the dialog was opened with.
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- See above.
export class DialogWork<Data = null, Result = boolean> {
  readonly #dialog = inject<MatDialogRef<unknown, Result>>(MatDialogRef);
  readonly #keys = inject(OperationKeys);
  readonly #toasts = inject(Toasts);
  readonly data = inject<Data>(MAT_DIALOG_DATA);
  readonly action = new Action();

  close(result?: Result): void {
    this.#dialog.close(result);
  }

  /** Work without a result leaves it open: what came of it is shown first. */
  async run(work: () => Promise<Result | undefined>): Promise<void> {
    await this.action.run(async () => {
      const result = await work();
      if (result !== undefined) this.close(result);
    });
  }

  /** Moves money: never twice for the same content. */
  async act<Reply>(
    content: object,
    send: (idempotencyKey: string) => Promise<Done<Reply>>,
    result: (reply: Reply) => Result,
  ): Promise<void> {
    await this.run(async () => {
      const { value, before } = await this.#keys.act(content, send);
      if (before) this.#toasts.warnDoneBefore();
      return result(value);
    });
  }
}

/** A dialog that makes a resource, or edits the one that it was opened with. */
export class ResourceDialog<Detail> extends DialogWork<Tagged<Detail> | null, Detail> {
  /** The object that is edited; undefined for a new one. */
  readonly seen = this.data?.value;

  async save(
    create: () => Promise<Detail | undefined>,
    update: (seen: Detail, ifMatch: string) => Promise<Detail>,
  ): Promise<void> {
    const { data } = this;
    await this.run(() => (data === null ? create() : update(data.value, data.etag)));
  }
}
