const MOMENT_MS = 100;
/** A page that is never idle gets what it waits for anyway. */
const IDLE_WAIT_MS_MAX = 2_000;

/**
 * Resolves when the browser has nothing else to do: what is not needed to read a page must not
 * delay what is. Safari does not report it; there a moment has to do.
 */
export function untilIdle(document: Document): Promise<void> {
  const view: Partial<Pick<Window, 'requestIdleCallback'>> | null = document.defaultView;
  return new Promise((resolve) => {
    if (view?.requestIdleCallback === undefined) setTimeout(resolve, MOMENT_MS);
    else view.requestIdleCallback(() => resolve(), { timeout: IDLE_WAIT_MS_MAX });
  });
}
