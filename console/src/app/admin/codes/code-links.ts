import { computed, inject, type Signal } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import type { SubLink } from '../../design/page/sub-nav';

/** The parts of code administration. Needs an injection context. */
export function codeAdminLinks(): Signal<readonly SubLink[]> {
  const { t } = inject(I18n);
  return computed(() => [
    { path: '/admin/codes', label: t('codes.batches') },
    { path: '/admin/codes/invitations', label: t('codes.invitations') },
  ]);
}
