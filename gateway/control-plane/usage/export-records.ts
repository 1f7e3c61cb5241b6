import { Readable } from 'node:stream';
import type { Database } from '../api/transaction.ts';
import { readCsvPage, type CsvForm, type CsvPage } from './csv-page.ts';
import type { RecordFilter } from './find-records.ts';

/**
 * Some 64 KiB of text, which is what one read of the database's socket takes: larger pages are put
 * together of copies.
 */
const PAGE_RECORDS = 250;
/** Pages made ahead of a slow reader. */
const PAGES_AHEAD = 1;

async function* pages(
  db: Database,
  { filter, form, first }: { filter: RecordFilter; form: CsvForm; first: CsvPage },
): AsyncGenerator<string> {
  yield form.header;
  let page = first;
  for (;;) {
    if (page.lines !== '') yield page.lines;
    if (page.next === null) return;
    page = await readCsvPage(db, filter, { form, after: page.next, limit: PAGE_RECORDS });
  }
}

/**
 * All records of a filter as CSV, newest first. Read page by page as the reader takes them: no
 * cursor stays open in the database, and a reader who leaves stops it. What is wrong with the
 * filter shows in the first page, before anything is sent. A failure midway breaks the connection
 * off, so that a part is never taken for the whole.
 */
export async function exportRecords(
  db: Database,
  filter: RecordFilter,
  form: CsvForm,
): Promise<Readable> {
  const first = await readCsvPage(db, filter, { form, after: null, limit: PAGE_RECORDS });
  return Readable.from(pages(db, { filter, form, first }), {
    objectMode: true,
    highWaterMark: PAGES_AHEAD,
  });
}
