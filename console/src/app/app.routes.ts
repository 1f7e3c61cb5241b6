import type { Routes } from '@angular/router';
import { requireAdmin, requireNobody, requireUser } from './core/session/guards';
import { usageAddress } from './requests/usage-address';
import { SESSION_PAGES } from './sessions/routes';

/**
 * Every page. Titles are message keys. Guards match the roles of the API, which decides in the end.
 */
export const ROUTES: Routes = [
  {
    path: '',
    pathMatch: 'full',
    title: 'home.title',
    canMatch: [requireNobody],
    loadComponent: async () => (await import('./home/home')).Home,
  },
  ...SESSION_PAGES,
  {
    path: 'models',
    title: 'models.title',
    loadComponent: async () => (await import('./models/models')).Models,
  },
  {
    path: 'terms',
    title: 'legal.terms',
    data: { name: 'terms' },
    loadComponent: async () => (await import('./home/site-text-page')).SiteTextPage,
  },
  {
    path: 'privacy',
    title: 'legal.privacy',
    data: { name: 'privacy' },
    loadComponent: async () => (await import('./home/site-text-page')).SiteTextPage,
  },
  {
    path: 'start',
    title: 'start.title',
    canMatch: [requireUser],
    loadComponent: async () => (await import('./start/start')).Start,
  },
  {
    path: 'dashboard',
    title: 'dashboard.title',
    canMatch: [requireUser],
    loadComponent: async () => (await import('./dashboard/dashboard')).Dashboard,
  },
  {
    path: 'keys',
    title: 'keys.title',
    canMatch: [requireUser],
    loadComponent: async () => (await import('./keys/keys')).Keys,
  },
  {
    path: 'keys/:keyId',
    title: 'keys.theKey',
    canMatch: [requireUser],
    loadComponent: async () => (await import('./keys/key')).Key,
  },
  { path: 'usage', pathMatch: 'full', redirectTo: usageAddress('/requests') },
  {
    path: 'requests',
    title: 'requests.title',
    canMatch: [requireUser],
    loadComponent: async () => (await import('./requests/requests')).Requests,
  },
  {
    path: 'requests/:requestId',
    title: 'requests.one',
    canMatch: [requireUser],
    loadComponent: async () => (await import('./requests/page/request-page')).RequestPage,
  },
  {
    path: 'billing',
    canMatch: [requireUser],
    loadChildren: async () => (await import('./billing/routes')).BILLING_PAGES,
  },
  {
    path: 'members',
    canMatch: [requireUser],
    loadChildren: async () => (await import('./members/routes')).MEMBER_PAGES,
  },
  {
    path: 'device',
    title: 'device.title',
    canMatch: [requireUser],
    loadComponent: async () => (await import('./device/device')).Device,
  },
  {
    path: 'playground',
    title: 'playground.title',
    canMatch: [requireUser],
    loadComponent: async () => (await import('./playground/playground')).Playground,
  },
  {
    path: 'account',
    canMatch: [requireUser],
    loadChildren: async () => (await import('./account/routes')).ACCOUNT_PAGES,
  },
  {
    path: 'admin',
    canMatch: [requireUser, requireAdmin],
    loadChildren: async () => (await import('./admin/routes')).ADMIN_PAGES,
  },
  {
    path: '**',
    title: 'notFound.title',
    loadComponent: async () => (await import('./shell/not-found')).NotFound,
  },
];
