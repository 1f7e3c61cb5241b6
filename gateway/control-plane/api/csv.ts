import type { FastifyReply } from 'fastify';

/**
 * Without it Excel takes a file for one in the encoding of its machine, and shows other scripts as
 * garbage.
 */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A cell that begins like a formula is run by spreadsheets; the apostrophe makes it text. The
 * full-width signs are what Chinese and Japanese keyboards write, and white space before a sign is
 * skipped.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

function csvCell(value: string): string {
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The same cell made by PostgreSQL of a text, for files of so many rows that they are written
 * there. `expression` comes from code, never from a request.
 */
export function csvCellSql(expression: string): string {
  const safe = `case when ${expression} ~ '^[=+@\\t\\r\\n＝＋－＠-]' and ${expression} !~ '^-?[0-9]+(\\.[0-9]+)?$'
    then '''' || ${expression} else ${expression} end`;
  // Nearly all cells are plain: one look tells.
  return `case when ${expression} !~ '^[=+@\\t\\r\\n＝＋－＠-]|[",\\r\\n]' then ${expression}
    when ${expression} ~ '[",\\r\\n]' then '"' || replace(${safe}, '"', '""') || '"' else ${safe} end`;
}

/** The first line of a file. */
export function csvHeader(names: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLine(names);
}

/** One line of RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Announces a file. `name` comes from code and ids, never from a person. */
export function startCsv(reply: FastifyReply, name: string): void {
  void reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store');
}
