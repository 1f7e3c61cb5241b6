import type { Routes } from '@angular/router';
import { askBeforeLeaving } from '../shell/unsaved-edits';

export const ACCOUNT_PAGES: Routes = [
  {
    path: '',
    pathMatch: 'full',
    canDeactivate: [askBeforeLeaving],
    title: 'nav.account',
    loadComponent: async () => (await import('./account')).Account,
  },
  {
    path: 'security',
    title: 'account.security',
    loadComponent: async () => (await import('./security/security')).Security,
  },
  {
    path: 'notices',
    title: 'notices.title',
    loadComponent: async () => (await import('./notices')).Notices,
  },
  {
    path: 'accounts',
    title: 'memberships.title',
    loadComponent: async () => (await import('./memberships')).Memberships,
  },
  {
    path: 'tokens',
    title: 'account.tokens',
    loadComponent: async () => (await import('./tokens/tokens')).Tokens,
  },
];
