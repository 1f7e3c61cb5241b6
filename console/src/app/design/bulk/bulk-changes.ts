import type { BulkChangeReport } from '@weir/shared/api/bulk-changes';
import type { RowList } from '../../core/state/row-list';
import type { Selection } from '../../core/state/selection';
import type { Dialogs } from '../dialog/dialogs';
import type { Toasts } from '../feedback/toasts';
import type { BulkChange } from './bulk-change';

/** The parts that differ between the changes of one list. */
export interface BulkAsk extends Omit<BulkChange, 'send' | 'undo' | 'body' | 'heading' | 'typed'> {
  readonly heading: (count: number) => string;
  /** The number of objects has to be typed first. */
  readonly isFinal?: boolean;
  /** The members of the body that say what to change. */
  readonly change: () => object;
}

interface Options<Row> {
  readonly dialogs: Dialogs;
  readonly toasts: Toasts;
  readonly selection: Selection<Row>;
  readonly list: Pick<RowList<Row>, 'load'>;
  /** The filters of the list, as they are set. */
  readonly filters: () => object | Promise<object>;
  readonly send: BulkChange['send'];
}

/** Changes the selected objects of one list. */
export class BulkChanges<Row> {
  readonly #options: Options<Row>;

  constructor(options: Options<Row>) {
    this.#options = options;
  }

  /** Opens the dialog; afterwards the list shows what the server has. */
  open(
    { heading, isFinal, change, ...ask }: BulkAsk,
    way: Pick<BulkChange, 'undo'> & Partial<Pick<BulkChange, 'send'>> = {},
  ): Promise<void> {
    const { dialogs, toasts, selection, list, filters, send } = this.#options;
    return toasts.reporting(async () => {
      const count = selection.count();
      const target = selection.target(await filters());
      const { BulkDialog } = await import('./bulk-dialog');
      const data: BulkChange = {
        ...ask,
        heading: heading(count),
        ...(isFinal === true ? { typed: String(count) } : {}),
        body: () => ({ ...target, ...change() }),
        send,
        ...way,
      };
      const done = await dialogs.open<BulkChange, BulkChangeReport>(BulkDialog, {
        data,
        wide: true,
      });
      if (done === undefined) return;
      selection.clear();
      await list.load();
    });
  }
}
