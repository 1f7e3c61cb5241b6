import type { PlainKey } from '../../core/i18n/i18n';

/** The place of a cell when the table becomes a list on a narrow page. */
export type NarrowPlace = 'title' | 'note' | 'value' | 'detail' | 'actions';

export interface Column {
  readonly id: string;
  /** Empty above what can be done with a row. */
  readonly header: PlainKey | '';
  /** A track of a CSS grid: `2fr`, `8rem`. */
  readonly width: string;
  readonly align?: 'end';
  /** Left out when the page is not wide: the detail has it. */
  readonly wideOnly?: boolean;
  /**
   * The order that a click on the head asks for first, such as `name`, or `-balance` for
   * descending. The next click asks for the opposite.
   */
  readonly sort?: string;
  /** Absent where a narrow page has no room for it. */
  readonly narrow?: NarrowPlace;
}

function tracks(columns: readonly Column[]): string {
  return columns
    .map(({ width }) => (width.endsWith('fr') ? `minmax(0, ${width})` : width))
    .join(' ');
}

/** The grid's tracks on a wide page and on one of middling width. */
export function gridTracks(columns: readonly Column[]): {
  readonly wide: string;
  readonly middling: string;
} {
  return { wide: tracks(columns), middling: tracks(columns.filter(({ wideOnly }) => !wideOnly)) };
}
