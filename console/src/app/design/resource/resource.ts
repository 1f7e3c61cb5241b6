import type { ComponentType } from '@angular/cdk/portal';
import { inject } from '@angular/core';
import type { Tagged } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import type { Confirmation } from '../dialog/confirm-dialog';
import { Dialogs } from '../dialog/dialogs';
import { Toasts } from '../feedback/toasts';
import type { RowAct } from '../table/row-menu';

interface Parts<Row, Detail> {
  readonly list: () => Promise<{ readonly data: readonly Row[] }>;
  readonly get: (id: string) => Promise<Tagged<Detail>>;
  readonly delete: (id: string) => Promise<unknown>;
  /** Makes one, or edits the one that it is given. */
  readonly dialog: ComponentType<unknown>;
  readonly wide?: boolean;
  /** Returns the message after one was made or changed. */
  readonly saved?: (detail: Detail) => string;
  /** Returns the question before one is deleted. */
  readonly deleting: (row: Row) => Omit<Confirmation, 'work' | 'destructive'>;
}

/**
 * A short list of what an operator makes, edits and deletes: groups, plans, alerts. Needs an
 * injection context.
 */
export class Resource<Row extends { readonly id: string }, Detail = Row> extends Loadable<
  readonly Row[]
> {
  readonly #dialogs = inject(Dialogs);
  readonly #toasts = inject(Toasts);
  readonly #parts: Parts<Row, Detail>;

  readonly acts: readonly RowAct<Row>[] = [
    { icon: 'edit', label: 'action.edit', run: (row) => this.edit(row) },
    { icon: 'trash', label: 'keys.deleteAction', run: (row) => this.delete(row) },
  ];

  constructor(parts: Parts<Row, Detail>) {
    super(async () => (await parts.list()).data);
    this.#parts = parts;
    void this.load();
  }

  async create(): Promise<void> {
    await this.#open(null);
  }

  /** Edits the current state of a row: the list may be older than someone else's change. */
  async edit({ id }: Row): Promise<void> {
    await this.#toasts.reporting(async () => this.#open(await this.#parts.get(id)));
  }

  async delete(row: Row): Promise<void> {
    const deleted = await this.#dialogs.confirm({
      ...this.#parts.deleting(row),
      destructive: true,
      work: () => this.#parts.delete(row.id),
    });
    if (deleted) await this.load();
  }

  async #open(data: Tagged<Detail> | null): Promise<void> {
    const { dialog, wide = false, saved } = this.#parts;
    const detail = await this.#dialogs.open<Tagged<Detail> | null, Detail>(dialog, { data, wide });
    if (detail !== undefined && saved !== undefined) this.#toasts.info(saved(detail));
    // Also when the dialog was given up: the answer to what it sent may have been lost.
    await this.load();
  }
}
