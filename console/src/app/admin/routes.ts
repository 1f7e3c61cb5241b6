import type { Routes } from '@angular/router';
import { requireMonth } from '../billing/plans/require-month';
import { usageAddress } from '../requests/usage-address';
import { askBeforeLeaving } from '../shell/unsaved-edits';

/** Pages of an administrator. */
export const ADMIN_PAGES: Routes = [
  { path: '', pathMatch: 'full', redirectTo: 'overview' },
  {
    path: 'overview',
    title: 'overview.title',
    loadComponent: async () => (await import('./overview/overview')).OverviewPage,
  },
  {
    path: 'operations',
    title: 'operations.title',
    loadComponent: async () => (await import('./operations/operations')).Operations,
  },
  {
    path: 'requests',
    title: 'nav.adminRequests',
    loadComponent: async () => (await import('./requests/requests')).AdminRequests,
  },
  {
    path: 'accounts',
    title: 'accounts.title',
    loadComponent: async () => (await import('./accounts/accounts')).Accounts,
  },
  {
    path: 'accounts/users',
    title: 'accounts.users',
    loadComponent: async () => (await import('./accounts/users')).Users,
  },
  {
    path: 'accounts/keys',
    title: 'accounts.keys',
    loadComponent: async () => (await import('./accounts/keys-of-everyone')).KeysOfEveryone,
  },
  {
    path: 'accounts/keys/:keyId',
    title: 'keys.theKey',
    loadComponent: async () => (await import('./accounts/key')).KeyOfAnyone,
  },
  {
    path: 'accounts/:accountId',
    title: 'accounts.account',
    loadComponent: async () => (await import('./accounts/account')).AdminAccount,
  },
  {
    path: 'accounts/:accountId/statements/:month',
    canMatch: [requireMonth],
    title: 'billing.statements',
    loadComponent: async () => (await import('./accounts/account-statement')).AccountStatement,
  },
  {
    path: 'groups',
    title: 'groups.title',
    loadComponent: async () => (await import('./groups/groups')).Groups,
  },
  {
    path: 'groups/:groupId',
    title: 'keys.group',
    loadComponent: async () => (await import('./groups/group')).Group,
  },
  {
    path: 'models',
    title: 'catalog.modelsTitle',
    loadComponent: async () => (await import('./models/models')).AdminModels,
  },
  {
    path: 'models/:modelId',
    title: 'model.title',
    loadComponent: async () => (await import('./models/model')).AdminModel,
  },
  {
    path: 'channels',
    title: 'channels.title',
    loadComponent: async () => (await import('./channels/channels')).Channels,
  },
  {
    path: 'channels/new',
    canDeactivate: [askBeforeLeaving],
    title: 'channels.createTitle',
    loadComponent: async () => (await import('./onboarding/onboarding')).Onboarding,
  },
  {
    path: 'channels/:channelId',
    canDeactivate: [askBeforeLeaving],
    title: 'channels.channel',
    loadComponent: async () => (await import('./channels/channel')).Channel,
  },
  {
    path: 'plans',
    title: 'nav.plans',
    loadComponent: async () => (await import('./plans/plans')).AdminPlans,
  },
  {
    path: 'plans/subscriptions',
    title: 'subscriptions.title',
    loadComponent: async () => (await import('./plans/subscriptions')).Subscriptions,
  },
  {
    path: 'codes',
    title: 'nav.codes',
    loadComponent: async () => (await import('./codes/codes')).Codes,
  },
  {
    path: 'codes/invitations',
    title: 'codes.invitations',
    loadComponent: async () => (await import('./codes/invitations')).Invitations,
  },
  {
    path: 'codes/:batchId',
    title: 'codes.codes',
    loadComponent: async () => (await import('./codes/batch')).Batch,
  },
  {
    path: 'orders',
    title: 'nav.orders',
    loadComponent: async () => (await import('./orders/orders')).AdminOrders,
  },
  {
    path: 'orders/credits',
    title: 'orderAdmin.credits',
    loadComponent: async () => (await import('./orders/credits')).Credits,
  },
  {
    path: 'orders/invoices',
    title: 'orderAdmin.invoices',
    loadComponent: async () => (await import('./orders/invoices')).AdminInvoices,
  },
  { path: 'usage', pathMatch: 'full', redirectTo: usageAddress('/admin/requests') },
  {
    path: 'margin',
    title: 'nav.margin',
    loadComponent: async () => (await import('./margin/margin')).Margin,
  },
  {
    path: 'accounting',
    title: 'nav.accounting',
    loadComponent: async () => (await import('./accounting/accounting')).Accounting,
  },
  {
    path: 'accounting/settings',
    canDeactivate: [askBeforeLeaving],
    title: 'accounting.settings',
    loadComponent: async () => (await import('./accounting/settings')).AccountingSettings,
  },
  {
    path: 'alerts',
    title: 'alerts.title',
    loadComponent: async () => (await import('./alerts/alerts')).Alerts,
  },
  {
    path: 'alerts/targets',
    title: 'alerts.targets',
    loadComponent: async () => (await import('./alerts/targets/targets')).AlertTargets,
  },
  {
    path: 'alerts/log',
    title: 'alerts.log',
    loadComponent: async () => (await import('./alerts/alert-log')).AlertLog,
  },
  {
    path: 'sign-on',
    title: 'providers.title',
    loadComponent: async () => (await import('./sign-on/providers')).Providers,
  },
  {
    path: 'system',
    title: 'system.title',
    loadComponent: async () => (await import('./system/system')).System,
  },
  {
    path: 'audit',
    title: 'nav.audit',
    loadComponent: async () => (await import('./audit/audit')).Audit,
  },
  {
    path: 'settings',
    canDeactivate: [askBeforeLeaving],
    title: 'nav.settings',
    loadComponent: async () => (await import('./settings/settings')).Settings,
  },
];
