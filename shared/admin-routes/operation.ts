import type { AdminRoute } from '../admin-route.ts';
import { AuditEntryExportQuery, AuditEntryListQuery, AuditEntryPage } from '../audit-entries.ts';
import { HealthView, Overview } from '../overview.ts';
import { SearchCreate, SearchResults } from '../search.ts';
import {
  PublicSettings,
  SecretRotationView,
  SettingsUpdate,
  SettingsView,
  SiteText,
  SiteTextQuery,
} from '../settings.ts';

/** Routes for the things that an operator of Weir reads and sets. */
export const OPERATION_ROUTES = {
  getHealth: {
    method: 'GET',
    path: '/health',
    caller: 'anyone',
    summary: 'Answers while the admin API and its database work.',
    status: 200,
    reply: HealthView,
  },
  getPublicSettings: {
    method: 'GET',
    path: '/public-settings',
    caller: 'anyone',
    summary: 'What the console must know before anyone logs in.',
    status: 200,
    reply: PublicSettings,
  },
  getSiteText: {
    method: 'GET',
    path: '/site-texts',
    caller: 'anyone',
    summary: 'A longer text of the operator: the first page, the terms, the privacy notice.',
    query: SiteTextQuery,
    status: 200,
    reply: SiteText,
  },
  search: {
    method: 'POST',
    path: '/searches',
    caller: 'user',
    summary:
      'Finds what a name, an e-mail address, an id, a key or a code belongs to: the caller’s own, and everything for administrators. The text may be a whole key, so it is in the body, where no log has it.',
    body: SearchCreate,
    status: 200,
    reply: SearchResults,
  },
  getSettings: {
    method: 'GET',
    path: '/settings',
    caller: 'admin',
    etag: true,
    summary: 'The settings.',
    status: 200,
    reply: SettingsView,
  },
  updateSettings: {
    method: 'PATCH',
    path: '/settings',
    caller: 'admin',
    etag: true,
    ifMatch: true,
    summary: 'Changes settings.',
    body: SettingsUpdate,
    status: 200,
    reply: SettingsView,
  },
  getOverview: {
    method: 'GET',
    path: '/admin/overview',
    caller: 'admin',
    summary: 'Traffic, spend, channel health, drain lag.',
    status: 200,
    reply: Overview,
  },
  listAuditEntries: {
    method: 'GET',
    path: '/audit-entries',
    caller: 'admin',
    summary: 'Every admin act: who, what, before, after, from where.',
    query: AuditEntryListQuery,
    status: 200,
    reply: AuditEntryPage,
  },
  exportAuditEntries: {
    method: 'GET',
    path: '/audit-entries/export',
    caller: 'admin',
    summary: 'The same as CSV, newest first.',
    query: AuditEntryExportQuery,
    status: 200,
    reply: 'csv',
  },
  rotateSecrets: {
    method: 'POST',
    path: '/secret-rotations',
    caller: 'admin',
    sessionOnly: true,
    summary: 'Re-encrypts everything at rest under the present SECRET_KEY.',
    status: 200,
    reply: SecretRotationView,
  },
} as const satisfies Record<string, AdminRoute>;
