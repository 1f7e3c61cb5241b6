import { NavigationCancel, NavigationEnd, NavigationStart, type Router } from '@angular/router';
import type { Dialogs } from '../design/dialog/dialogs';
import type { UnsavedEdits } from './unsaved-edits';

/**
 * Back and Forward of the browser close the dialogs of the page that is left. What is shown once,
 * and work that is under way, would be lost with them: the page stays for as long as a dialog needs
 * it, and the browser asks users who are about to leave the console altogether, also for what a
 * page has not saved.
 */
export function leaveWithDialogs(
  router: Router,
  { dialogs, edits }: { readonly dialogs: Dialogs; readonly edits: UnsavedEdits },
  view: Window | null,
): void {
  let leaving = false;
  router.events.subscribe((event) => {
    if (event instanceof NavigationStart && event.navigationTrigger === 'popstate') {
      leaving = dialogs.mayLeave();
      if (!leaving) router.currentNavigation()?.abort();
    } else if (event instanceof NavigationEnd && leaving) {
      leaving = false;
      // Not before: a page that moves on when its dialog closes would undo the way back.
      dialogs.leave();
    } else if (event instanceof NavigationCancel) {
      leaving = false;
    }
  });
  view?.addEventListener('beforeunload', (event) => {
    if (dialogs.anyPreventsClose() || edits.any()) event.preventDefault();
  });
}
