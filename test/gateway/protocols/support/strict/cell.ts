import {
  STRICT_ROWS,
  type StrictRow,
} from '../../../../support/upstreams/strict-upstream/strict-upstream.ts';
import { bodyOf, type Client, type Json } from './ask.ts';
import { CASES } from './cases.ts';

/** One request of a client, which has to be served by a row or refused by name. */
export interface Cell {
  /** The name of its case. */
  readonly name: string;
  readonly row: StrictRow;
  readonly client: Client;
  readonly body: Json;
  readonly stream: boolean;
  /** Weir may refuse it with a message that has one of these. */
  readonly refusedFor: readonly string[];
  /** Names of tools that the reply calls. */
  readonly calls?: readonly string[];
}

/** Every case of every client over every row, half of them streamed. */
export function allCells(): readonly Cell[] {
  const asked = CASES.flatMap(({ name, ask, clients, refusedFor = [], calls, except }, number) =>
    clients.map((client) => {
      const body = bodyOf(client, ask);
      return { name, client, body, refusedFor, number, except, ...(calls && { calls }) };
    }),
  );
  return STRICT_ROWS.flatMap((row, rowNumber) =>
    asked
      .filter(({ except }) => except !== row.name)
      .map(({ number, ...cell }) => ({ ...cell, row, stream: (rowNumber + number) % 2 === 0 })),
  );
}
