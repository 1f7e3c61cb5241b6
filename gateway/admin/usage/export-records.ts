import { Readable } from 'node:stream';
import type { Database } from '../api/transaction.ts';
import { CSV_HEADER, readCsvPage } from './csv-page.ts';
import type { RecordFilter, RecordPosition } from './find-records.ts';

/** Some 64 KiB of text, which is what one read of the database's socket takes: larger pages are put together of copies. */
const PAGE_RECORDS = 250;
/** Pages made ahead of a slow reader. */
const PAGES_AHEAD = 1;

async function* pages(db: Database, filter: RecordFilter): AsyncGenerator<string> {
  yield CSV_HEADER;
  let after: RecordPosition | null = null;
  do {
    const { lines, next } = await readCsvPage(db, filter, { after, limit: PAGE_RECORDS });
    if (lines !== '') yield lines;
    after = next;
  } while (after !== null);
}

/**
 * All records of a filter as CSV, newest first. Read page by page as the reader takes them: no cursor stays
 * open in the database, and a reader who leaves stops it. A failure midway breaks the connection off, so that
 * a part is never taken for the whole.
 */
export function exportRecords(db: Database, filter: RecordFilter): Readable {
  return Readable.from(pages(db, filter), { objectMode: true, highWaterMark: PAGES_AHEAD });
}
