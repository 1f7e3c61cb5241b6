import { computed, inject, type Signal } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import type { SubLink } from '../../design/page/sub-nav';

/** The parts of alerts. Needs an injection context. */
export function alertLinks(): Signal<readonly SubLink[]> {
  const { t } = inject(I18n);
  return computed(() => [
    { path: '/admin/alerts', label: t('alerts.rules') },
    { path: '/admin/alerts/targets', label: t('alerts.targets') },
    { path: '/admin/alerts/log', label: t('alerts.log') },
  ]);
}
