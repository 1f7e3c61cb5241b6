import { until } from '../../support/clocks/hang.ts';
import type { Visitor } from '../support/console-fixture.ts';
import { untilSettled } from './pages.ts';

/** The cost of a first visit, with a browser that has nothing of the console yet. */
export interface FirstVisit {
  /**
   * All that the page needs: page, scripts, styles, typeface, answers of the API, with their heads.
   */
  readonly transferredBytes: number;
  /** Bytes that are loaded when the browser is idle: the library that draws charts. */
  readonly whenIdleBytes: number;
  readonly firstContentfulPaintMs: number;
  readonly largestContentfulPaintMs: number;
  /** Time of tasks beyond 50 ms each, from the start until the page had all that it requested. */
  readonly blockingMs: number;
  /** Cumulative layout shift: what is called good is below 0.1. */
  readonly layoutShift: number;
}

/**
 * Runs before the page's own scripts. What waits until the browser is idle is kept waiting until
 * that is wanted.
 */
const WATCH = `
  window.weirVisit = { paint: 0, largest: 0, blocking: 0, shift: 0 };
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') weirVisit.paint = startTime; });
  watch('largest-contentful-paint', ({ startTime }) => { weirVisit.largest = startTime; });
  watch('longtask', ({ duration }) => { weirVisit.blocking += duration - 50; });
  window.weirIdle = [];
  window.requestIdleCallback = (call) => weirIdle.push(call);
  watch('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) weirVisit.shift += value; });`;

/** `visitor` must not have been anywhere yet. */
export async function visitFirst(visitor: Visitor, path: string): Promise<FirstVisit> {
  const { page, context } = visitor;
  let transferredBytes = 0;
  const client = await context.newCDPSession(page);
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    transferredBytes += encodedDataLength;
  });
  await client.send('Network.enable');
  await page.addInitScript(WATCH);
  await page.goto(path);
  await untilSettled(page);
  await page.waitForLoadState('networkidle');
  const neededBytes = transferredBytes;
  const waiting = await page.evaluate<number>(
    'weirIdle.map((call) => call({ didTimeout: false, timeRemaining: () => 50 })).length',
  );
  // Code that waited for an idle browser has requests to make; they may take their time to begin.
  const bytesMin = waiting === 0 ? 0 : 1;
  await until('what is for idle browsers', () => transferredBytes - neededBytes >= bytesMin);
  await page.waitForLoadState('networkidle');
  const seen =
    await page.evaluate<Record<'paint' | 'largest' | 'blocking' | 'shift', number>>(
      'window.weirVisit',
    );
  return {
    transferredBytes: neededBytes,
    whenIdleBytes: transferredBytes - neededBytes,
    firstContentfulPaintMs: seen.paint,
    largestContentfulPaintMs: seen.largest,
    blockingMs: seen.blocking,
    layoutShift: seen.shift,
  };
}
