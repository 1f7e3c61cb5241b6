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
  /** Left out when the page is not very wide: names next to it would be cut within a word. */
  readonly widestOnly?: boolean;
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

/** The grid's tracks on a very wide page, a wide one, and one of middling width. */
export function gridTracks(columns: readonly Column[]): {
  readonly widest: string;
  readonly wide: string;
  readonly middling: string;
} {
  const wide = columns.filter(({ widestOnly }) => !widestOnly);
  return {
    widest: tracks(columns),
    wide: tracks(wide),
    middling: tracks(wide.filter(({ wideOnly }) => !wideOnly)),
  };
}
