import { Directive, inject, input, TemplateRef } from '@angular/core';

interface CellContext<Row> {
  readonly $implicit: Row;
  readonly index: number;
}

/**
 * The template of a column's cells: `<ng-template weirCell="name" [weirCellRows]="list.rows()"
 * let-row>`.
 */
@Directive({ selector: 'ng-template[weirCell]' })
export class Cell<Row> {
  readonly column = input.required<string>({ alias: 'weirCell' });
  /** Only for its type: gives the template the type of a row. */
  readonly rows = input.required<readonly Row[]>({ alias: 'weirCellRows' });
  readonly template = inject<TemplateRef<CellContext<Row>>>(TemplateRef);

  static ngTemplateContextGuard<Row>(
    _directive: Cell<Row>,
    context: unknown,
  ): context is CellContext<Row> {
    return typeof context === 'object';
  }
}
