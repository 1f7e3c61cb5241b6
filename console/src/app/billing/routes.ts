import type { Routes } from '@angular/router';
import { requireMonth } from './plans/require-month';

export const BILLING_PAGES: Routes = [
  {
    path: '',
    pathMatch: 'full',
    title: 'nav.billing',
    loadComponent: async () => (await import('./billing')).Billing,
  },
  {
    path: 'plans',
    title: 'billing.plans',
    loadComponent: async () => (await import('./plans/plans')).Plans,
  },
  {
    path: 'orders',
    title: 'billing.orders',
    loadComponent: async () => (await import('./orders')).Orders,
  },
  {
    path: 'orders/:orderId',
    title: 'order.title',
    loadComponent: async () => (await import('./order')).Order,
  },
  {
    path: 'invoices',
    title: 'billing.invoices',
    loadComponent: async () => (await import('./invoices')).Invoices,
  },
  {
    path: 'statements',
    title: 'billing.statements',
    loadComponent: async () => (await import('./statements/statements')).Statements,
  },
  {
    path: 'statements/:month',
    canMatch: [requireMonth],
    title: 'billing.statements',
    loadComponent: async () => (await import('./statements/statement')).Statement,
  },
];
