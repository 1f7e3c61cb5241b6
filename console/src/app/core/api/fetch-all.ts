import type { FetchPage } from '../state/row-list';

/** A select can show no more than this; users with more search instead. */
const ROWS_MAX = 5_000;

/**
 * Every row of a list that is short by nature: the models of a catalog, the channels of an
 * installation.
 */
export async function fetchAll<Row>(fetch: FetchPage<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await fetch(cursor);
    rows.push(...page.data);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && rows.length < ROWS_MAX);
  return rows;
}
