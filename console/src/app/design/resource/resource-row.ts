import { Directive, inject, input, TemplateRef } from '@angular/core';
import type { Loadable } from '../../core/state/loadable';

interface RowContext<Row> {
  readonly $implicit: Row;
}

/** The template of a row: `<div class="split" *weirRow="let group of groups">`. */
@Directive({ selector: '[weirRow]' })
export class ResourceRow<Row> {
  readonly weirRowOf = input.required<Loadable<readonly Row[]>>();
  readonly template = inject<TemplateRef<RowContext<Row>>>(TemplateRef);

  static ngTemplateContextGuard<Row>(
    _directive: ResourceRow<Row>,
    context: unknown,
  ): context is RowContext<Row> {
    return typeof context === 'object';
  }
}
