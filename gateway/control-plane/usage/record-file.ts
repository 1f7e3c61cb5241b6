import type { Database } from '../api/transaction.ts';
import { readCsvPage, type CsvForm, type CsvPage } from './csv-page.ts';
import type { RecordFilter } from './find-records.ts';

/**
 * Some 64 KiB of text, which is what one read of the database's socket takes: larger pages are put
 * together of copies.
 */
const PAGE_RECORDS = 250;

/**
 * All records of a filter as CSV, newest first. Read page by page as the reader takes them: no
 * cursor stays open in the database, and a reader who leaves stops it.
 */
export async function* recordFile(
  db: Database,
  filter: RecordFilter,
  form: CsvForm,
): AsyncGenerator<string> {
  yield form.header;
  let after: CsvPage['next'] = null;
  do {
    const page: CsvPage = await readCsvPage(db, filter, { form, after, limit: PAGE_RECORDS });
    if (page.lines !== '') yield page.lines;
    after = page.next;
  } while (after !== null);
}
