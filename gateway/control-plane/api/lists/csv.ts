import { Readable } from 'node:stream';
import { FORMULA_PATTERN } from '@weir/shared/csv';
import type { FastifyReply } from 'fastify';

/**
 * A cell as `csvLine` writes it, made by PostgreSQL of a text: files of very many rows are written
 * there. `expression` comes from code, never from a request.
 */
export function csvCellSql(expression: string): string {
  const safe = `case when ${expression} ~ '${FORMULA_PATTERN}' and ${expression} !~ '^-?[0-9]+(\\.[0-9]+)?$'
    then '''' || ${expression} else ${expression} end`;
  // Nearly all cells are plain, which one test shows.
  return `case when ${expression} !~ '${FORMULA_PATTERN}|[",\\r\\n]' then ${expression}
    when ${expression} ~ '[",\\r\\n]' then '"' || replace(${safe}, '"', '""') || '"' else ${safe} end`;
}

/** Announces a file. `name` comes from code and ids, never from a person. */
export function startCsv(reply: FastifyReply, name: string): void {
  void reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store');
}

async function* joined(
  begin: readonly IteratorResult<string>[],
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  for (const part of begin) if (part.done !== true) yield part.value;
  yield* rest;
}

/**
 * Opens a file that is read as its reader takes it. The head and the first rows are read at once: a
 * query that the database refuses rejects here, and is answered as any other.
 * @param file the head, then rows
 */
export async function openCsv(file: AsyncGenerator<string>): Promise<Readable> {
  const begin = [await file.next(), await file.next()];
  return Readable.from(joined(begin, file));
}

/**
 * Sends a file. A failure midway breaks the connection off, so that a part is never taken for the
 * whole.
 */
export async function sendCsv(
  reply: FastifyReply,
  name: string,
  file: AsyncGenerator<string>,
): Promise<Readable> {
  const opened = await openCsv(file);
  startCsv(reply, name);
  return opened;
}
