import { DOCUMENT } from '@angular/common';
import { inject } from '@angular/core';
import { Router, type NavigationError } from '@angular/router';

/**
 * Pages are fetched when first wanted. After an upgrade of the server those of the former version
 * are gone, and a link would do nothing: the whole console is loaded anew at the page that was
 * wanted. Never from a fresh load, which has nothing newer to find and would load itself for ever.
 */
export function reloadOnStaleChunk({ url }: NavigationError): void {
  if (inject(Router).navigated) inject(DOCUMENT).defaultView?.location.assign(url);
}
