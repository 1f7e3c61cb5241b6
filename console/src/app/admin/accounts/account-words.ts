import type { Signal } from '@angular/core';
import { optionsOf, type Option } from '../../core/i18n/i18n';

/** Needs an injection context. */
export function accountStatusOptions(): Signal<readonly Option<'active' | 'suspended'>[]> {
  return optionsOf(['active', 'suspended'], (status) =>
    status === 'active' ? 'state.active' : 'accounts.suspended',
  );
}
