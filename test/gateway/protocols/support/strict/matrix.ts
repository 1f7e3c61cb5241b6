import type pg from 'pg';
import { openPool } from '../../../../../gateway/stores/postgres/connect.ts';
import { startGatewayInProcess } from '../../../../support/gateway-in-process.ts';
import { createDatabase } from '../../../../support/postgres.ts';
import { seed, seedModel, type Seeded } from '../../../../support/seed.ts';
import {
  startStrictUpstream,
  STRICT_ROWS,
  type StrictRow,
} from '../../../../support/strict-upstream/strict-upstream.ts';
import { SAID } from '../../../../support/strict-upstream/replies.ts';
import type { Cell } from './cell.ts';
import { profileOfRow } from './encode.ts';

export interface StrictMatrix {
  /** Sends a cell's request; undefined if it is served or refused by name, else what went wrong. */
  run(cell: Cell): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Rows that are worked on at once; the requests of one row follow each other. */
const ROWS_AT_ONCE = 8;
const CREDIT = 1_000_000_000_000_000;
const OUTPUT_TOKENS_MAX = 8_000;
const KINDS = { 'anthropic-messages': 'anthropic', gemini: 'gemini' } as const;

/** Whether a row can be served over plain HTTP: Converse's frames come from the fake of AWS. */
export function isServed({ vendor }: StrictRow): boolean {
  return vendor.protocol !== 'bedrock-converse';
}

/** Makes a channel to a row of the strict upstream and a model that it serves. */
async function openStrictChannel(
  pool: pg.Pool,
  row: StrictRow,
  { groupId, channelId }: { readonly groupId: string; readonly channelId: string },
): Promise<void> {
  const { protocol } = row.vendor;
  const kind = protocol in KINDS ? KINDS[protocol as keyof typeof KINDS] : 'openai';
  await pool.query('update channels set kind = $2, protocols = $3 where id = $1', [
    channelId,
    kind,
    kind === 'openai' ? [protocol] : null,
  ]);
  await seedModel(
    pool,
    { outputTokensMax: OUTPUT_TOKENS_MAX },
    { publicId: publicName(row), upstreamName: row.model, groupId, channelIds: [channelId] },
  );
  await pool.query('update channel_models set profile = $2 where channel_id = $1', [
    channelId,
    profileOfRow(row.vendor),
  ]);
}

function publicName({ name }: StrictRow): string {
  return name.replaceAll('/', '_');
}

async function openChannels(pool: pg.Pool, urls: readonly string[]): Promise<Seeded> {
  const seeded = await seed(pool, { upstreams: urls, creditNanoUsd: CREDIT, models: [] });
  for (const [index, row] of STRICT_ROWS.entries()) {
    if (!isServed(row)) continue;
    const channelId = seeded.channelIds[index] ?? '';
    await openStrictChannel(pool, row, { groupId: seeded.groupId, channelId });
  }
  return seeded;
}

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
  const database = await createDatabase();
  const pool = openPool(database.url, { connectionsMax: ROWS_AT_ONCE, applicationName: 'test' });
  const upstream = await startStrictUpstream();
  const { key } = await openChannels(
    pool,
    STRICT_ROWS.map((row) => upstream.urlOf(row)),
  );
  const gateway = await startGatewayInProcess(
    { pool, databaseUrl: database.url },
    (context) => context,
  );

  return {
    run: async (cell) => {
      const { client, row, body, stream, refusedFor } = cell;
      const named = client === 'gemini' ? body : { ...body, model: publicName(row), stream };
      upstream.take(row);
      const response = await fetch(gateway.url + pathOf(cell), {
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
    close: async () => {
      await gateway.close();
      await upstream.close();
      await pool.end();
      await database.drop();
    },
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
