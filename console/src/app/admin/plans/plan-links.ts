import { computed, inject, type Signal } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import type { SubLink } from '../../design/page/sub-nav';

/** The parts of plan administration. Needs an injection context. */
export function planAdminLinks(): Signal<readonly SubLink[]> {
  const { t } = inject(I18n);
  return computed(() => [
    { path: '/admin/plans', label: t('nav.plans') },
    { path: '/admin/plans/subscriptions', label: t('subscriptions.title') },
  ]);
}
