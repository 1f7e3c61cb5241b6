import { computed, signal } from '@angular/core';
import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import { Action } from '../../core/state/action';
import type { OperationKeys } from '../../core/state/operation-keys';
import { randomId } from '../../core/state/random-id';
import type { BulkChange } from './bulk-change';

/**
 * The steps of a bulk change: `asking` what to change to, `preview` of what would happen, `done`.
 * Nothing is changed before its preview was shown.
 */
export class BulkWork {
  readonly #change: BulkChange;
  readonly #keys: Pick<OperationKeys, 'act'>;
  readonly #report = signal<BulkChangeReport | undefined>(undefined);
  readonly #step = signal<'asking' | 'preview' | 'done'>('asking');

  readonly action = new Action();
  readonly step = this.#step.asReadonly();
  /** The report of the preview, then of the change. */
  readonly report = this.#report.asReadonly();
  readonly canApply = computed(
    () => this.#step() === 'preview' && !this.action.busy() && (this.#report()?.changed ?? 0) > 0,
  );

  constructor(change: BulkChange, keys: Pick<OperationKeys, 'act'>) {
    this.#change = change;
    this.#keys = keys;
  }

  /** Asks the server what would happen. */
  async preview(): Promise<void> {
    const body = this.#change.body();
    const done = await this.action.run(async () => {
      this.#report.set(await this.#change.send({ dryRun: true, body }, randomId()));
    });
    // Without fields there is nothing to correct: the failure is shown in place of the preview.
    if (done || this.#change.form === undefined) this.#step.set('preview');
  }

  back(): void {
    this.action.clear();
    this.#report.set(undefined);
    this.#step.set('asking');
  }

  /** True once it is changed. */
  async apply(): Promise<boolean> {
    const body = this.#change.body();
    const done = await this.action.run(async () => {
      this.#report.set(
        await this.#keys.act({ heading: this.#change.heading, body }, (key) =>
          this.#change.send({ dryRun: false, body }, key),
        ),
      );
    });
    if (done) this.#step.set('done');
    return done;
  }

  /** True once it is undone. */
  async undo(): Promise<boolean> {
    const id = this.#report()?.id ?? null;
    const { undo } = this.#change;
    if (id === null || undo === undefined) return false;
    return this.action.run(() => this.#keys.act({ undo: id }, (key) => undo(id, key)));
  }
}
