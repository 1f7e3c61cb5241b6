import { SAID } from '../../../../support/upstreams/strict-upstream/replies.ts';
import type { Cell } from './cell.ts';
import { openStrictGateway, publicName } from './strict-gateway.ts';

export interface StrictMatrix {
  /** Sends a cell's request; undefined if it is served or refused by name, else what went wrong. */
  run(cell: Cell): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Rows that are worked on at once; the requests of one row follow each other. */
const ROWS_AT_ONCE = 8;

function pathOf({ client, row, stream }: Cell): string {
  switch (client) {
    case 'chat':
      return '/v1/chat/completions';
    case 'responses':
      return '/v1/responses';
    case 'messages':
      return '/v1/messages';
    case 'gemini': {
      const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
      return `/v1beta/models/${publicName(row)}:${verb}`;
    }
  }
}

function faultOfReply({ calls }: Cell, text: string): string | undefined {
  const expected = calls ?? [SAID];
  const missing = expected.find((words) => !text.includes(JSON.stringify(words)));
  return missing === undefined ? undefined : `reply: lacks ${missing}: ${text.slice(0, 400)}`;
}

export async function openStrictMatrix(): Promise<StrictMatrix> {
  const gateway = await openStrictGateway();
  const { url, key, upstream } = gateway;
  return {
    run: async (cell) => {
      const { client, row, body, stream, refusedFor } = cell;
      const named = client === 'gemini' ? body : { ...body, model: publicName(row), stream };
      upstream.take(row);
      const response = await fetch(url + pathOf(cell), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
        },
        body: JSON.stringify(named),
      });
      const text = await response.text();
      const refusal = upstream.take(row).find((request) => request.refusal)?.refusal;
      if (response.status === 200) return faultOfReply(cell, text);
      if (refusal !== undefined) return `${refusal.rule}: ${JSON.stringify(refusal.body)}`;
      if (response.status < 500 && refusedFor.some((word) => text.includes(word))) return undefined;
      return `refused by Weir: ${String(response.status)} ${text.slice(0, 400)}`;
    },
    close: () => gateway.close(),
  };
}

/** Runs cells of several rows at once; returns what went wrong, in the order of the cells. */
export async function runAll(
  matrix: StrictMatrix,
  cells: readonly Cell[],
): Promise<readonly (string | undefined)[]> {
  const faults: (string | undefined)[] = [];
  const byRow = Map.groupBy(cells.entries(), ([, { row }]) => row);
  const waiting = [...byRow.values()];
  const work = async (): Promise<void> => {
    for (let lane = waiting.pop(); lane !== undefined; lane = waiting.pop()) {
      for (const [index, cell] of lane) faults[index] = await matrix.run(cell);
    }
  };
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, work));
  return faults;
}
