import * as Type from 'typebox';
import type { Static } from 'typebox';
import { listOf } from '../api/pages.ts';
import { choice, closed, Id, Instant, Name, partial, TEXT_KIND } from '../api/wire-values.ts';

/** The lists of the console that have saved views. */
export const VIEW_LISTS = [
  'requests',
  'keys',
  'admin_requests',
  'admin_keys',
  'accounts',
  'models',
  'channels',
  'audit',
  'orders',
  'credits',
  'subscriptions',
] as const;
export type ViewList = (typeof VIEW_LISTS)[number];

/** Saved views of one user, over all lists. */
export const SAVED_VIEWS_MAX = 100;

/** The query of the list's address, such as `model=gpt-6&outcome=failed`. */
const ViewQuery = Type.String({ maxLength: 1_000, [TEXT_KIND]: 'ascii' });

export const SavedViewCreate = closed({
  list: choice(VIEW_LISTS),
  name: Name,
  query: ViewQuery,
});
export type SavedViewCreate = Static<typeof SavedViewCreate>;

export const SavedViewUpdate = partial(closed({ name: Name, query: ViewQuery }), {
  additionalProperties: false,
});
export type SavedViewUpdate = Static<typeof SavedViewUpdate>;

/** Filters and order of a list that its user has named. */
export const SavedViewView = closed({
  id: Id,
  list: choice(VIEW_LISTS),
  name: Name,
  query: ViewQuery,
  createdAt: Instant,
});
export type SavedViewView = Static<typeof SavedViewView>;

export const SavedViewListQuery = closed({ list: choice(VIEW_LISTS) });
export const SavedViewList = listOf(SavedViewView);
export type SavedViewList = Static<typeof SavedViewList>;
