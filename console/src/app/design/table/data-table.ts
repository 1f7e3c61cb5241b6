import { DOCUMENT, NgTemplateOutlet } from '@angular/common';
import {
  CdkFixedSizeVirtualScroll,
  CdkVirtualForOf,
  CdkVirtualScrollableWindow,
  CdkVirtualScrollViewport,
} from '@angular/cdk/scrolling';
import { BreakpointObserver } from '@angular/cdk/layout';
import {
  Component,
  computed,
  contentChildren,
  effect,
  inject,
  input,
  output,
  signal,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { map } from 'rxjs';
import { MatButton } from '@angular/material/button';
import { MatMenu, MatMenuItem, MatMenuTrigger } from '@angular/material/menu';
import { I18n } from '../../core/i18n/i18n';
import type { RowList } from '../../core/state/row-list';
import type { Selection } from '../../core/state/selection';
import { untilIdle } from '../../core/state/until-idle';
import { ListView } from '../../core/theme/list-view';
import { FailureNote } from '../feedback/failure-note';
import { Filter } from '../field/filter';
import { Icon } from '../icon/icon';
import { Skeleton } from '../feedback/skeleton';
import { gridTracks, type Column } from './column';
import { Cell } from './cell';
import { Near } from './near';
import { nextOrder, opposite, sortState } from './sort-order';

const NARROW = '(width < 720px)';
const ROW_PX = 56;
const COMPACT_ROW_PX = 26;
const NARROW_ROW_PX = 76;
const SKELETON_ROWS = 6;
/** Rows kept ready beyond what is seen, in pixels. */
const BUFFER_PX_MIN = 600;
const BUFFER_PX_MAX = 1_200;

/**
 * Any list of the console. Rows come by cursor as the page is scrolled and only those in view are
 * in the document, so 100,000 rows scroll like 100. On a narrow page each row becomes two lines.
 */
@Component({
  selector: 'weir-data-table',
  imports: [
    CdkFixedSizeVirtualScroll,
    CdkVirtualForOf,
    CdkVirtualScrollableWindow,
    CdkVirtualScrollViewport,
    FailureNote,
    Filter,
    Icon,
    MatButton,
    MatMenu,
    MatMenuItem,
    MatMenuTrigger,
    Near,
    NgTemplateOutlet,
    Skeleton,
  ],
  templateUrl: './data-table.html',
  styleUrl: './data-table.scss',
  host: {
    class: 'card card-flush',
    '[class.selectable]': 'selection() !== undefined',
    '[style.--tracks]': 'tracks().widest',
    '[style.--tracks-wide]': 'tracks().wide',
    '[style.--tracks-middling]': 'tracks().middling',
  },
})
export class DataTable<Row extends object> {
  protected readonly t = inject(I18n).t;
  readonly #breakpoints = inject(BreakpointObserver);
  protected readonly view = inject(ListView);

  readonly list = input.required<RowList<Row>>();
  readonly columns = input.required<readonly Column[]>();
  readonly label = input.required<string>();
  /** The selection of rows; on a narrow page there is no space for it. */
  readonly selection = input<Selection<Row>>();

  /** The order of the list, where it can be changed; columns say by what. */
  readonly order = input('');
  readonly orderChange = output<string>();

  /** Cells that come from further out. */
  readonly moreCells = input<readonly Cell<Row>[]>([]);

  protected readonly cells = contentChildren<Cell<Row>>(Cell);
  protected readonly narrow = toSignal(
    this.#breakpoints.observe(NARROW).pipe(map(({ matches }) => matches)),
    { initialValue: this.#breakpoints.isMatched(NARROW) },
  );
  protected readonly rowPx = computed(() => {
    if (this.narrow()) return NARROW_ROW_PX;
    return this.view.isCompact() ? COMPACT_ROW_PX : ROW_PX;
  });
  /** A list is known by its columns: pages have several, and addresses have ids. */
  readonly #name = computed(() =>
    this.columns()
      .map(({ id }) => id)
      .join(),
  );
  /** The column that names a row, and the one of actions, stay. */
  protected readonly optional = computed(() =>
    this.columns().filter(({ narrow, header }) => narrow !== 'title' && header !== ''),
  );
  protected readonly shown = computed(() =>
    this.columns().filter(({ id }) => !this.view.isHidden(this.#name(), id)),
  );
  protected readonly tracks = computed(() => gridTracks(this.shown()));
  protected readonly templates = computed(
    () =>
      new Map([...this.cells(), ...this.moreCells()].map((cell) => [cell.column(), cell.template])),
  );
  protected readonly skeletons = Array.from({ length: SKELETON_ROWS }, (_, index) => index);
  /** At first only rows that are seen; those beyond when the browser has nothing else to do. */
  readonly #isSeen = signal(false);
  protected readonly bufferPxMin = computed(() => (this.#isSeen() ? BUFFER_PX_MIN : 0));
  protected readonly bufferPxMax = computed(() => (this.#isSeen() ? BUFFER_PX_MAX : 0));
  protected readonly sortState = sortState;
  protected readonly sortable = computed(() => this.columns().some(({ sort }) => sort));
  /** On a narrow page, where there are no heads: each column both ways. */
  protected readonly orders = computed(() =>
    this.columns().flatMap(({ sort, header }) => {
      if (sort === undefined || header === '') return [];
      return [sort, opposite(sort)].map((value) => ({
        value,
        label: this.t(value.startsWith('-') ? 'table.descending' : 'table.ascending', {
          name: this.t(header),
        }),
      }));
    }),
  );
  /** Empty for an order that no column has. */
  protected readonly narrowOrder = computed(() => {
    const order = this.order();
    return this.orders().some(({ value }) => value === order) ? order : '';
  });
  protected readonly track = (_index: number, row: Row): unknown => this.list().idOf(row);

  constructor() {
    const document = inject(DOCUMENT);
    effect(() => {
      if (!this.list().waiting()) void untilIdle(document).then(() => this.#isSeen.set(true));
    });
  }

  protected isShown({ id }: Column): boolean {
    return !this.view.isHidden(this.#name(), id);
  }

  protected toggleColumn({ id }: Column): void {
    this.view.toggleColumn(this.#name(), id);
  }

  protected sortBy(sort: string): void {
    this.orderChange.emit(nextOrder(sort, this.order()));
  }

  /** The next page is asked for before the end comes into view. */
  protected loadMore(): void {
    if (!this.list().loading()) void this.list().more();
  }
}
