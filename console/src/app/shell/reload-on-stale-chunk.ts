import { DOCUMENT } from '@angular/common';
import { inject } from '@angular/core';
import { Router, type NavigationError } from '@angular/router';
import { I18n } from '../core/i18n/i18n';
import { Toasts } from '../design/feedback/toasts';

/**
 * Pages are fetched when first wanted. After an upgrade of the server those of the former version
 * are gone, and a link would do nothing: the whole console is reloaded at the page that was
 * wanted. Never from a fresh load, which has nothing newer to find and would load itself for ever;
 * and not while the server is out of reach, or the browser's own page would take the console's
 * place, with all that was typed.
 */
export async function reloadOnStaleChunk({ url }: NavigationError): Promise<void> {
  const window = inject(DOCUMENT).defaultView;
  const toasts = inject(Toasts);
  const { t } = inject(I18n);
  if (!inject(Router).navigated || window === null) return;
  try {
    await window.fetch(url, { method: 'HEAD', cache: 'no-store' });
  } catch {
    toasts.warn(t('failure.unreachable'));
    return;
  }
  window.location.assign(url);
}
