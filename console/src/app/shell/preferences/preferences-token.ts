import { DOCUMENT } from '@angular/common';
import { inject, InjectionToken } from '@angular/core';
import { I18n } from '../../core/i18n/i18n';
import { Session } from '../../core/session/session';
import { Theme } from '../../core/theme/theme';
import { Preferences } from './preferences';

export const PREFERENCES = new InjectionToken<Preferences>('Preferences', {
  factory: () =>
    new Preferences({
      document: inject(DOCUMENT),
      i18n: inject(I18n),
      theme: inject(Theme),
      session: inject(Session),
    }),
});
