import { inject } from '@angular/core';
import type { Routes } from '@angular/router';
import { I18n } from '../core/i18n/i18n';
import { askBeforeLeaving } from '../shell/unsaved-edits';

/** The people of the account: who they are, in which teams, who is invited, and what they did. */
export const MEMBER_PAGES: Routes = [
  {
    path: '',
    pathMatch: 'full',
    title: 'members.title',
    loadComponent: async () => (await import('./members')).Members,
  },
  {
    path: 'teams',
    title: 'teams.title',
    loadComponent: async () => (await import('./teams/teams')).Teams,
  },
  {
    path: 'invitations',
    title: 'invites.title',
    loadComponent: async () => (await import('./member-invitations')).MemberInvitations,
  },
  {
    path: 'budgets',
    title: 'budgets.title',
    loadComponent: async () => (await import('./budgets/budgets')).BudgetsPage,
  },
  {
    path: 'claude-code',
    title: 'toolSettings.title',
    canDeactivate: [askBeforeLeaving],
    loadComponent: async () => (await import('./tool-settings')).ToolSettings,
  },
  {
    path: 'audit',
    title: 'members.audit',
    data: { ofAccount: true },
    // What was done is said in the words that operators have.
    resolve: { texts: () => inject(I18n).useOperatorTexts() },
    loadComponent: async () => (await import('../admin/audit/audit')).Audit,
  },
];
