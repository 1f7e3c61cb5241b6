import type { Routes } from '@angular/router';
import { requireNobody } from '../core/session/guards';

export const SESSION_PAGES: Routes = [
  {
    path: 'login',
    title: 'login.title',
    canMatch: [requireNobody],
    loadComponent: async () => (await import('./log-in')).LogIn,
  },
  {
    path: 'register',
    title: 'register.title',
    canMatch: [requireNobody],
    loadComponent: async () => (await import('./register/register')).Register,
  },
  {
    path: 'forgot-password',
    title: 'forgot.title',
    loadComponent: async () => (await import('./forgot-password')).ForgotPassword,
  },
  {
    path: 'reset-password',
    title: 'reset.title',
    loadComponent: async () => (await import('./reset-password')).ResetPassword,
  },
  {
    path: 'join',
    title: 'join.title',
    loadComponent: async () => (await import('./register/join')).Join,
  },
  {
    path: 'sign-on/:slug/callback',
    title: 'signOn.title',
    loadComponent: async () => (await import('./sign-on-callback')).SignOnCallback,
  },
  {
    path: 'verify-email',
    title: 'verify.title',
    loadComponent: async () => (await import('./register/verify-email')).VerifyEmail,
  },
];
