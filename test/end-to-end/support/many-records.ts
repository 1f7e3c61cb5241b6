import pg from 'pg';
import type { Page } from 'playwright-core';
import type { ConsoleFixture } from './console-fixture.ts';

/**
 * Copies the newest usage record of an account until it has `count` more, each a second older than
 * the one before. The books are not asked to agree: lists show records as they stand.
 */
export async function addRecords(
  fixture: ConsoleFixture,
  accountId: string,
  count: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: fixture.database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_name = 'usage_records' order by ordinal_position`,
    );
    const columns = rows.map(({ column_name }) => {
      if (column_name === 'request_id') return 'gen_random_uuid()';
      return column_name === 'created_at' ? `created_at - make_interval(secs => n)` : column_name;
    });
    await client.query(
      `insert into usage_records select ${columns.join(', ')} from generate_series(1, $2::int) n, lateral (
         select * from usage_records where account_id = $1 order by created_at desc limit 1) newest`,
      [accountId, count],
    );
    // As autovacuum does within a minute: plans for the list depend on it.
    await client.query('analyze usage_records');
  } finally {
    await client.end();
  }
}

/** The memory of a browser while someone scrolls down a long list. */
export interface Scrolled {
  /** Rows that came, and the most of them that were in the document at once. */
  readonly rowsLoaded: number;
  readonly rowsInDocumentMost: number;
  readonly elapsedMs: number;
  /** Between two frames: the median, and what one in a hundred took longer than. */
  readonly frameMsMedian: number;
  readonly frameMsP99: number;
  /** The page's heap after garbage collection, before and after. */
  readonly heapBytesBefore: number;
  readonly heapBytesAfter: number;
}

/**
 * Runs in the page: to the end of what is there with every frame, until enough came or nothing more
 * comes.
 */
const SCROLL = (rowsWanted: number, timeoutMs: number): string => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const rowPx = document.querySelector('[data-testid="row"]').offsetHeight;
  const spacer = document.querySelector('.cdk-virtual-scroll-spacer');
  const startedMs = performance.now(), frames = [];
  let rowsInDocumentMost = 0, rowsLoaded = 0, lastMs = await frame();
  do {
    scrollTo(0, document.documentElement.scrollHeight);
    const nowMs = await frame();
    frames.push(nowMs - lastMs);
    lastMs = nowMs;
    rowsInDocumentMost = Math.max(rowsInDocumentMost, document.querySelectorAll('[data-testid="row"]').length);
    rowsLoaded = Math.round(spacer.offsetHeight / rowPx);
  } while (rowsLoaded < ${String(rowsWanted)} && performance.now() - startedMs < ${String(timeoutMs)});
  const sorted = frames.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.floor(sorted.length * share)];
  return { rowsLoaded, rowsInDocumentMost, elapsedMs: lastMs - startedMs, frameMsMedian: at(0.5), frameMsP99: at(0.99) };
})()`;

/** Scrolls a list that is shown until at least `rowsWanted` rows have come. */
export async function scrollFar(
  page: Page,
  { rowsWanted, timeoutMs }: { readonly rowsWanted: number; readonly timeoutMs: number },
): Promise<Scrolled> {
  const client = await page.context().newCDPSession(page);
  const heapBytes = async (): Promise<number> => {
    await client.send('HeapProfiler.collectGarbage');
    return (await client.send('Runtime.getHeapUsage')).usedSize;
  };
  const heapBytesBefore = await heapBytes();
  const seen = await page.evaluate<Omit<Scrolled, 'heapBytesBefore' | 'heapBytesAfter'>>(
    SCROLL(rowsWanted, timeoutMs),
  );
  return { ...seen, heapBytesBefore, heapBytesAfter: await heapBytes() };
}
