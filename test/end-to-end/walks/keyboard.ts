import type { Locator, Page } from 'playwright-core';

/** More stops than any page has: focus that is still moving then is caught in a loop. */
const STOPS_MAX = 150;

/** The stops of someone who pressed Tab from the first to the last of a page. */
export interface Walk {
  /** Controls in sight that the focus never came to. */
  readonly missed: readonly string[];
  /** Stops that look the same with the focus and without it. */
  readonly unmarked: readonly string[];
  /** Stops that were outside the window, or covered, while they had the focus. */
  readonly hidden: readonly string[];
  /** True if the walk came to an end. */
  readonly ended: boolean;
}

/**
 * Runs in the page. A stop's look is all that focus may change about it: its own frame and colours,
 * those of what it stands in, and those of the frame that a field draws around it.
 */
const PREPARE = `
  window.weirWalk = (() => {
    const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const reached = new Set(), unmarked = [], hidden = [];
    let last;
    const nameOf = (element) => element.tagName.toLowerCase() + ' “' +
      (element.getAttribute('aria-label') ?? (element.innerText || element.name || element.id || '')).trim().slice(0, 40) + '”';
    const look = (element) => {
      const parts = [element];
      for (let above = element.parentElement; parts.length < 5 && above; above = above.parentElement) parts.push(above);
      const field = element.closest('.mat-mdc-form-field');
      if (field) parts.push(...field.querySelectorAll('.mdc-notched-outline > *'));
      const styles = parts.map((part) => getComputedStyle(part));
      styles.push(...[...element.querySelectorAll('*')].slice(0, 12).flatMap((part) =>
        ['::before', '::after'].map((drawn) => getComputedStyle(part, drawn))));
      return styles.map((style) => [style.outline, style.boxShadow, style.borderColor, style.borderWidth, style.backgroundColor,
        style.opacity, style.clipPath].join(' ')).join('|');
    };
    const inSight = (element) => {
      const box = (element.closest('label') ?? element).getBoundingClientRect();
      const y = Math.min(Math.max((box.top + box.bottom) / 2, 0), innerHeight - 1);
      const on = document.elementFromPoint((box.left + box.right) / 2, y);
      const tall = box.height > innerHeight;
      return (tall || (box.top >= -1 && box.bottom <= innerHeight + 1)) && on !== null &&
        (element.contains(on) || on.contains(element) || on.closest('label')?.contains(element) === true ||
          on.closest('.mat-mdc-form-field') !== null);
    };
    const placeOf = (element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return ' from ' + Math.round(top) + ' to ' + Math.round(bottom) + ' of ' + innerHeight +
        (on === null || on === element ? '' : ', below ' + nameOf(on));
    };
    const isStop = (element) => element.tabIndex >= 0 && !element.matches(':disabled') &&
      !element.closest('[aria-hidden="true"], [inert]') && element.checkVisibility({ visibilityProperty: true }) &&
      !(element.type === 'radio' && [...document.getElementsByName(element.name)].some((one) => reached.has(one)));
    const inField = (element) => element?.closest('.mat-mdc-form-field, mat-slide-toggle') != null;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const atFirst = [...document.querySelectorAll(CONTROLS)].filter(isStop);
    return {
      /** False once the way is at its end. */
      async stop() {
        const element = document.activeElement;
        // Day, month and year of a date are three stops in one field, and its calendar a fourth.
        if (element?.type === 'date' && element === last?.element) return true;
        // Fields redraw their frame with the next frame.
        if (inField(element) || inField(last?.element)) await frame().then(frame);
        if (last && last.element.isConnected && last.look === look(last.element)) unmarked.push(nameOf(last.element));
        last = undefined;
        if (element === document.body || element === null || reached.has(element)) return false;
        reached.add(element);
        last = { element, look: look(element) };
        if (!inSight(element)) hidden.push(nameOf(element) + placeOf(element));
        return true;
      },
      result: () => ({
        missed: atFirst.filter((one) => one.isConnected && isStop(one) && !reached.has(one)).map(nameOf),
        unmarked, hidden,
      }),
    };
  })();`;

/** Presses Tab from the link that skips to the content until every stop was met. */
export async function walk(page: Page): Promise<Walk> {
  await page.evaluate(PREPARE);
  // After a click, a browser does not mark what a script gives the focus to.
  await page.keyboard.press('Tab');
  await page.locator('.skip').focus();
  let ended = false;
  for (let stops = 0; stops < STOPS_MAX && !ended; stops += 1) {
    ended = !(await page.evaluate<boolean>('window.weirWalk.stop()'));
    if (!ended) await page.keyboard.press('Tab');
  }
  const result = await page.evaluate<Omit<Walk, 'ended'>>('window.weirWalk.result()');
  return { ...result, ended };
}

/** Resolves when the focus is in a dialog: it comes there once the dialog has what it shows. */
export async function untilFocusInDialog(page: Page): Promise<void> {
  await page.locator('mat-dialog-container:focus-within').waitFor();
}

export function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate((element: unknown) => {
    const { document } = globalThis as unknown as { document: { activeElement: unknown } };
    return element === document.activeElement;
  });
}

/** Presses Tab until `wanted` has the focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let stops = 0; stops < STOPS_MAX; stops += 1) {
    if (await hasFocus(wanted)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never leads to ${String(wanted)}.`);
}

/** Where the focus is, in words. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `((one) => one.tagName.toLowerCase() + ' “' + (one.getAttribute('aria-label') ?? one.innerText ?? '').trim().slice(0, 40) + '”')(document.activeElement)`,
  );
}
