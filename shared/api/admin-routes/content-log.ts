import type { AdminRoute } from '../admin-route.ts';
import {
  ContentLogUpdate,
  ContentPolicyUpdate,
  ContentPolicyView,
  ContentView,
} from '../../watch/content-log.ts';
import { KeyView } from '../../people/keys.ts';

/** Requests and replies that owners of keys keep. */
export const CONTENT_LOG_ROUTES = {
  setContentLog: {
    method: 'PUT',
    path: '/keys/:keyId/content-log',
    caller: 'user',
    permission: 'keys.write',
    sessionOnly: true,
    audited: true,
    summary:
      'Keeps requests and replies of a key, or stops it. Only the owner of the key switches it on.',
    body: ContentLogUpdate,
    status: 200,
    reply: KeyView,
  },
  getOwnContent: {
    method: 'GET',
    path: '/requests/:requestId/content',
    caller: 'user',
    permission: 'usage.read',
    sessionOnly: true,
    summary: 'The request and its reply, for the owner of the key alone.',
    status: 200,
    reply: ContentView,
  },
  getContent: {
    method: 'GET',
    path: '/admin/requests/:requestId/content',
    caller: 'admin',
    permission: 'customers.read',
    sessionOnly: true,
    audited: true,
    summary:
      'The request and its reply, while its account lets operators read. Its audit log names each look.',
    status: 200,
    reply: ContentView,
  },
  getContentPolicy: {
    method: 'GET',
    path: '/accounts/me/content-policy',
    caller: 'user',
    permission: 'account.read',
    summary: 'Whether keys of the account may keep content, and whether operators may read it.',
    status: 200,
    reply: ContentPolicyView,
  },
  updateContentPolicy: {
    method: 'PATCH',
    path: '/accounts/me/content-policy',
    caller: 'user',
    permission: 'content.manage',
    sessionOnly: true,
    audited: true,
    summary: 'Forbids or allows content logs, and lets operators read content for a while.',
    body: ContentPolicyUpdate,
    status: 200,
    reply: ContentPolicyView,
  },
} as const satisfies Record<string, AdminRoute>;
