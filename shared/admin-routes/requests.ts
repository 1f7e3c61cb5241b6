import type { AdminRoute } from '../admin-route.ts';
import { TrafficQuery, TrafficView } from '../operations.ts';
import {
  RequestAdminListQuery,
  RequestAdminPage,
  RequestAdminView,
  RequestListQuery,
  RequestPage,
  RequestView,
} from '../requests.ts';

/** The request log, and the sums that are written with it. */
export const REQUEST_ROUTES = {
  listOwnRequests: {
    method: 'GET',
    path: '/requests',
    caller: 'user',
    permission: 'usage.read',
    summary: 'Requests, newest first, also those that were refused or failed.',
    query: RequestListQuery,
    status: 200,
    reply: RequestPage,
  },
  getOwnRequest: {
    method: 'GET',
    path: '/requests/:requestId',
    caller: 'user',
    permission: 'usage.read',
    summary: 'One request, by request id.',
    status: 200,
    reply: RequestView,
  },
  listRequests: {
    method: 'GET',
    path: '/admin/requests',
    caller: 'admin',
    permission: 'customers.read',
    summary: 'Requests of everyone, with what their upstreams said.',
    query: RequestAdminListQuery,
    status: 200,
    reply: RequestAdminPage,
  },
  getRequest: {
    method: 'GET',
    path: '/admin/requests/:requestId',
    caller: 'admin',
    permission: 'customers.read',
    summary: 'Anyone’s request, by request id.',
    status: 200,
    reply: RequestAdminView,
  },
  getTraffic: {
    method: 'GET',
    path: '/admin/traffic',
    caller: 'admin',
    permission: 'customers.read',
    summary:
      'Requests, errors, times and tokens per hour or day, split by model, channel, group, account or code.',
    query: TrafficQuery,
    status: 200,
    reply: TrafficView,
  },
} as const satisfies Record<string, AdminRoute>;
