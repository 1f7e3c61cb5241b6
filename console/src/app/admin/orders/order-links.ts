import { computed, inject, type Signal } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import type { SubLink } from '../../design/page/sub-nav';

/** The parts of order administration. Needs an injection context. */
export function orderAdminLinks(): Signal<readonly SubLink[]> {
  const { t } = inject(I18n);
  return computed(() => [
    { path: '/admin/orders', label: t('nav.orders') },
    { path: '/admin/orders/credits', label: t('orderAdmin.credits') },
  ]);
}
