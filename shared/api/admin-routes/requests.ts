import type { AdminRoute } from '../admin-route.ts';
import { ActivityList, ActivityQuery, KeyActivityQuery } from '../../watch/activity.ts';
import { DashboardView } from '../../watch/dashboard.ts';
import { OwnTrafficQuery, TrafficQuery, TrafficView } from '../../watch/operations.ts';
import {
  RequestAdminListQuery,
  RequestAdminPage,
  RequestAdminView,
  RequestListQuery,
  RequestPage,
  RequestView,
} from '../../watch/requests.ts';

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
  getOwnTraffic: {
    method: 'GET',
    path: '/traffic',
    caller: 'user',
    permission: 'usage.read',
    summary: 'Requests, errors, times and tokens of the own account or one of its keys.',
    query: OwnTrafficQuery,
    status: 200,
    reply: TrafficView,
  },
  getDashboard: {
    method: 'GET',
    path: '/dashboard',
    caller: 'user',
    permission: 'usage.read',
    summary: 'Requests, errors, times and spend of the own account, and how long its money lasts.',
    status: 200,
    reply: DashboardView,
  },
  listOwnKeyActivities: {
    method: 'GET',
    path: '/key-activities',
    caller: 'user',
    permission: 'usage.read',
    summary: 'The latest 24 hours of keys of the own account.',
    query: KeyActivityQuery,
    status: 200,
    reply: ActivityList,
  },
  listActivities: {
    method: 'GET',
    path: '/admin/activities',
    caller: 'admin',
    permission: 'customers.read',
    summary: 'The latest 24 hours of accounts, channels, keys or models.',
    query: ActivityQuery,
    status: 200,
    reply: ActivityList,
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
