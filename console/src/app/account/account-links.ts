import { computed, inject, type Signal } from '@angular/core';
import { I18n } from '../core/i18n/i18n';
import type { SubLink } from '../design/page/sub-nav';

/** The parts of the account. Needs an injection context. */
export function accountLinks(): Signal<readonly SubLink[]> {
  const { t } = inject(I18n);
  return computed(() => [
    { path: '/account', label: t('account.general') },
    { path: '/account/notices', label: t('notices.title') },
    { path: '/account/security', label: t('account.security') },
    { path: '/account/tokens', label: t('account.tokens') },
  ]);
}
