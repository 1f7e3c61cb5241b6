import type { AdminRoute } from '../admin-route.ts';
import { DirectoryTokenCreated, DirectoryView } from '../../people/directories.ts';

/** Directories of identity providers. They themselves call SCIM, which is outside of this API. */
export const DIRECTORY_ROUTES = {
  getDirectory: {
    method: 'GET',
    path: '/admin/sign-on-providers/:signOnProviderId/directory',
    caller: 'admin',
    permission: 'operate',
    summary: 'The SCIM directory of a provider: its address, its tokens and what it has sent.',
    status: 200,
    reply: DirectoryView,
  },
  deleteDirectory: {
    method: 'DELETE',
    path: '/admin/sign-on-providers/:signOnProviderId/directory',
    caller: 'admin',
    permission: 'operate',
    summary:
      'Ends a directory with its tokens. Memberships stay; the claims of each sign-on decide again.',
    status: 204,
    reply: 'none',
  },
  createDirectoryToken: {
    method: 'POST',
    path: '/admin/sign-on-providers/:signOnProviderId/directory-tokens',
    caller: 'admin',
    permission: 'operate',
    sessionOnly: true,
    summary: 'Makes a token for SCIM, and the directory with the first one. It is shown once.',
    status: 201,
    reply: DirectoryTokenCreated,
  },
  deleteDirectoryToken: {
    method: 'DELETE',
    path: '/admin/sign-on-providers/:signOnProviderId/directory-tokens/:directoryTokenId',
    caller: 'admin',
    permission: 'operate',
    summary: 'Revokes a token of a directory at once.',
    status: 204,
    reply: 'none',
  },
} as const satisfies Record<string, AdminRoute>;
