import { MatButton, MatIconButton } from '@angular/material/button';
import { MatMenu, MatMenuItem, MatMenuTrigger } from '@angular/material/menu';
import { RouterLink } from '@angular/router';
import { EmptyState } from '../feedback/empty-state';
import { FailureNote } from '../feedback/failure-note';
import { Note } from '../feedback/note';
import { Skeleton } from '../feedback/skeleton';
import { Filter } from '../field/filter';
import { Pills } from '../field/pills';
import { SearchBox } from '../field/search-box';
import { Icon } from '../icon/icon';
import { Cell } from '../table/cell';
import { DataTable } from '../table/data-table';
import { RowMenu } from '../table/row-menu';
import { Chip } from '../text/chip';
import { Money } from '../text/money';
import { Name } from '../text/name';
import { Time } from '../text/time';
import { BackLink } from './back-link';
import { Page } from './page';
import { SubNav } from './sub-nav';

/**
 * The parts of pages. The compiler leaves out what a template does not use. One list is an element
 * of another and is not spread into it: a spread is a side effect, and every page would load all of
 * it.
 */
export const PAGE_PARTS = [
  BackLink,
  Chip,
  EmptyState,
  FailureNote,
  Icon,
  MatButton,
  MatIconButton,
  MatMenu,
  MatMenuItem,
  MatMenuTrigger,
  Money,
  Name,
  Note,
  Page,
  RouterLink,
  RowMenu,
  Skeleton,
  SubNav,
  Time,
] as const;

/** The parts of pages with a table. */
export const TABLE_PAGE = [PAGE_PARTS, Cell, DataTable, Filter, Pills, SearchBox] as const;
