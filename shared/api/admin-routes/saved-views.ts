import type { AdminRoute } from '../admin-route.ts';
import {
  SavedViewCreate,
  SavedViewList,
  SavedViewListQuery,
  SavedViewUpdate,
  SavedViewView,
} from '../../watch/saved-views.ts';

/** Routes for the views that a person has saved of the console's lists. */
export const SAVED_VIEW_ROUTES = {
  listSavedViews: {
    method: 'GET',
    path: '/saved-views',
    caller: 'user',
    permission: 'self',
    summary: 'Lists the caller’s saved views of a list, by name.',
    query: SavedViewListQuery,
    status: 200,
    reply: SavedViewList,
  },
  createSavedView: {
    method: 'POST',
    path: '/saved-views',
    caller: 'user',
    permission: 'self',
    summary: 'Saves the filters and the order of a list under a name.',
    body: SavedViewCreate,
    status: 201,
    reply: SavedViewView,
  },
  updateSavedView: {
    method: 'PATCH',
    path: '/saved-views/:savedViewId',
    caller: 'user',
    permission: 'self',
    summary: 'Renames a saved view, or replaces its filters.',
    body: SavedViewUpdate,
    status: 200,
    reply: SavedViewView,
  },
  deleteSavedView: {
    method: 'DELETE',
    path: '/saved-views/:savedViewId',
    caller: 'user',
    permission: 'self',
    summary: 'Deletes a saved view.',
    status: 204,
    reply: 'none',
  },
} as const satisfies Record<string, AdminRoute>;
