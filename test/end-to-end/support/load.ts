import { expect, it } from 'vitest';
import { HANG_MS } from '../../support/clocks/hang.ts';
import { visitFirst } from '../walks/first-visit.ts';
import { addRecords, scrollFar } from './many-records.ts';
import { untilSettled } from '../walks/pages.ts';
import { stockedConsole } from './stocked-console.ts';

const FIRST_LOAD_BYTES_MAX = 350_000;
/** Less than this would mean that not everything was counted. */
const FIRST_LOAD_BYTES_MIN = 100_000;
/** Loaded when the page has all that it needs. */
const WHEN_IDLE_BYTES_MAX = 50_000;
/** The limit of layout shift; below 0.1 counts as good. */
const LAYOUT_SHIFT_MAX = 0.05;
/** Each answer of the API comes this much later, so that pages show what they show meanwhile. */
const API_DELAY_MS = 400;
const RECORDS = 100_000;
/** Number of these that are scrolled through; `npm run console:measure` goes to the end. */
const RECORDS_SCROLLED = 4_000;
/** Those in sight, and some beyond. */
const ROWS_IN_DOCUMENT_MAX = 80;
/** A record as the page keeps it, and room for what a browser keeps besides. */
const HEAP_BYTES_PER_RECORD_MAX = 3_000;
const HEAP_BYTES_BESIDES_MAX = 15_000_000;

export function testFirstVisit(paths: readonly string[]): void {
  it.each(paths)(
    '%s transfers little on a first visit, and stays where it is while it fills',
    async (path) => {
      const { fixture, stock } = stockedConsole();
      const visitor = await fixture.visitor(
        ['/', '/login'].includes(path) ? {} : { as: stock.user },
      );
      await visitor.context.route('**/api/v1/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, API_DELAY_MS));
        await route.continue();
      });
      const { transferredBytes, whenIdleBytes, layoutShift } = await visitFirst(visitor, path);
      expect(transferredBytes).toBeGreaterThan(FIRST_LOAD_BYTES_MIN);
      process.stdout.write(`${path}: ${String(Math.round(transferredBytes / 1000))} kB\n`);
      expect(transferredBytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
      expect(whenIdleBytes).toBeLessThan(WHEN_IDLE_BYTES_MAX);
      expect(layoutShift).toBeLessThan(LAYOUT_SHIFT_MAX);
      await visitor.context.close();
    },
  );
}

export function testManyRecords(): void {
  it('scrolls through a hundred thousand usage records by cursor, holding only those in sight in the document', async () => {
    const { fixture, stock } = stockedConsole();
    await addRecords(fixture, stock.accountId, RECORDS);
    const { page, context } = await fixture.visitor({ as: stock.user });
    const cursors: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // Without a cursor it is the first page, which a live list asks for again and again.
      const cursor = searchParams.get('cursor');
      if (pathname.endsWith('/api/v1/requests') && cursor !== null) cursors.push(cursor);
    });
    await page.goto('/requests?range=all');
    await untilSettled(page);
    const scrolled = await scrollFar(page, {
      rowsWanted: RECORDS_SCROLLED,
      timeoutMs: HANG_MS,
    });
    expect(scrolled.rowsLoaded).toBeGreaterThanOrEqual(RECORDS_SCROLLED);
    expect(scrolled.rowsInDocumentMost).toBeLessThan(ROWS_IN_DOCUMENT_MAX);
    const grownBytes = scrolled.heapBytesAfter - scrolled.heapBytesBefore;
    expect(grownBytes).toBeLessThan(
      HEAP_BYTES_BESIDES_MAX + scrolled.rowsLoaded * HEAP_BYTES_PER_RECORD_MAX,
    );
    expect(new Set(cursors).size, 'no page is asked for twice').toBe(cursors.length);

    // From the middle and the top, which were left long ago, rows are there again at once.
    const rows = page.getByTestId('row');
    for (const place of [0.5, 0, 1]) {
      await page.evaluate(`scrollTo(0, ${String(place)} * document.documentElement.scrollHeight)`);
      await expect.poll(() => rows.count()).toBeGreaterThan(5);
      expect(await rows.count()).toBeLessThan(ROWS_IN_DOCUMENT_MAX);
    }
    await context.close();
  });
}
