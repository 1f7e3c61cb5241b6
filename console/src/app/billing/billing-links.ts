import { computed, inject, type Signal } from '@angular/core';
import { I18n } from '../core/i18n/i18n';
import type { SubLink } from '../design/page/sub-nav';

/** The parts of billing. Needs an injection context. */
export function billingLinks(): Signal<readonly SubLink[]> {
  const { t } = inject(I18n);
  return computed(() => [
    { path: '/billing', label: t('billing.overview') },
    { path: '/billing/plans', label: t('billing.plans') },
    { path: '/billing/orders', label: t('billing.orders') },
    { path: '/billing/statements', label: t('billing.statements') },
  ]);
}
