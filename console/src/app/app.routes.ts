import type { Routes } from '@angular/router';
import { SESSION_PAGES } from './sessions/routes';

/** Every page. Titles are message keys. Guards match the roles of the API, which decides in the end. */
export const ROUTES: Routes = [
  { path: '', pathMatch: 'full', redirectTo: 'dashboard' },
  ...SESSION_PAGES,
  {
    path: '**',
    title: 'notFound.title',
    loadComponent: async () => (await import('./shell/not-found')).NotFound,
  },
];
