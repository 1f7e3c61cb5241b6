import { computed, inject, type Signal } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import type { SubLink } from '../../design/page/sub-nav';

/** The parts of account administration. Needs an injection context. */
export function accountAdminLinks(): Signal<readonly SubLink[]> {
  const { t } = inject(I18n);
  return computed(() => [
    { path: '/admin/accounts', label: t('accounts.accounts') },
    { path: '/admin/accounts/users', label: t('accounts.users') },
    { path: '/admin/accounts/keys', label: t('accounts.keys') },
  ]);
}
