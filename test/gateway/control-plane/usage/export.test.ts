import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASIS_METER_IDS, METER_IDS, type MeterId } from '@weir/shared/prices/meters';
import type { UsageRecordView } from '@weir/shared/watch/usage';
import { csvLine } from '@weir/shared/csv';
import { csvCellSql } from '../../../../gateway/control-plane/api/lists/csv.ts';
import type { Database } from '../../../../gateway/control-plane/api/transaction.ts';
import { OWN_CSV } from '../../../../gateway/control-plane/usage/csv-page.ts';
import { openCsv } from '../../../../gateway/control-plane/api/lists/csv.ts';
import { recordFile } from '../../../../gateway/control-plane/usage/record-file.ts';
import { makeCatalog, makeKey, type Catalog } from '../support/catalog.ts';
import { createAdminFixture, type AdminFixture, type Person } from '../support/fixture.ts';
import { insertUsage } from '../support/usage.ts';

let fixture: AdminFixture;
let catalog: Catalog;

beforeAll(async () => {
  fixture = await createAdminFixture();
  catalog = await makeCatalog(fixture, await fixture.admin());
});
afterAll(() => fixture.close());

/** Names that a spreadsheet would run, or that would break a line or a cell apart. */
const HOSTILE = [
  'plain',
  '',
  ' ',
  '=1+1',
  '+1',
  '-1',
  '-1.5',
  '-1.5\n',
  '-',
  '--1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '\n=1+1',
  '＝1+1',
  ' =1+1',
  '\u00a0\u3000=1+1',
  '\ufeff@x',
  '﹦1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  ',',
  '"',
  '""',
  '=cmd|"evil", \n',
  '-"a"',
  'a=b',
  'ä,ö 東京 🙂',
  '\\',
  "'",
  '%s $1',
];

const MULTIPLIERS_PPM = [0, 1, 850_000, 1_000_000, 10_500_000, 999_999_999];

/** Numbers that are easily written wrongly, in nanodollars or tokens. */
const NUMBERS = [0, 1, 10, 20_000, 999_999_999, 1_000_000_000, 1_000_000_001, 20_500_000_000];

/** The line that the JSON of the same record makes. */
function lineOf(view: UsageRecordView): string {
  const { tokens, prices } = view;
  const cellsOf = (meter: MeterId) => [tokens.extra[meter] ?? 0, prices.extra[meter] ?? ''];
  return csvLine(
    [
      view.requestId,
      view.createdAt,
      view.accountId,
      view.keyId,
      view.keyName ?? '',
      view.groupName ?? view.groupId,
      view.model,
      view.status,
      view.httpStatus,
      view.stream,
      tokens.input,
      tokens.cachedInput,
      tokens.cacheWrite,
      tokens.output,
      tokens.reasoning,
      prices.inputUsd,
      prices.cachedInputUsd,
      prices.cacheWriteUsd,
      prices.outputUsd,
      prices.perCallUsd,
      view.multiplier,
      view.costUsd,
      view.fromBalanceUsd,
      view.fromSubscriptionUsd,
      view.uncollectedUsd,
      view.estimated,
      view.capped,
      view.attempts,
      view.latencyMs,
      view.firstByteMs ?? '',
      ...METER_IDS.filter((meter) => !BASIS_METER_IDS.some((one) => one === meter)).flatMap(
        cellsOf,
      ),
      view.protocol ?? '',
      view.upstreamProtocol ?? '',
      view.tier ?? '',
      view.memberId ?? '',
      view.memberName ?? '',
      view.teamId ?? '',
      view.teamName ?? '',
      ...BASIS_METER_IDS.flatMap(cellsOf),
      tokens.extra.variant ?? '',
    ].map(String),
  );
}

/** One record of every hostile name and model, with numbers of all sizes. */
async function enterVariety(person: Person): Promise<void> {
  const records = [];
  for (const [index, name] of HOSTILE.entries()) {
    const { id: keyId } = await makeKey(fixture, person, catalog.groupId);
    await fixture.pool.query('update keys set name = $2 where id = $1', [keyId, name]);
    const number = (offset: number) => NUMBERS[(index + offset) % NUMBERS.length] ?? 0;
    records.push({
      accountId: person.accountId,
      keyId,
      groupId: index === 0 ? person.accountId : catalog.groupId,
      model: name,
      status: index % 3 === 0 ? ('failed' as const) : ('completed' as const),
      httpStatus: 200 + index,
      stream: index % 2 === 0,
      ...(index % 2 === 0
        ? {}
        : { protocol: 'gemini' as const, upstreamProtocol: 'openai-chat' as const, tier: 'fast' }),
      input: 100_000_000_000 + number(5),
      cachedInput: number(0),
      cacheWrite: number(1),
      output: number(2),
      reasoning: number(3),
      inputNanoUsd: number(4),
      cachedInputNanoUsd: number(5),
      cacheWriteNanoUsd: number(6),
      outputNanoUsd: number(7),
      perCallNanoUsd: number(0),
      ...(index % 3 === 0
        ? {}
        : {
            extraMeters: {
              ...{ cacheWrite1h: number(4), webSearch: index },
              ...{ image: 3, second: 61_500, variant: '1024x1536 high' },
            },
            extraPrices: { cacheWrite1h: number(1), webSearch: number(6) },
          }),
      multiplierPpm: MULTIPLIERS_PPM[index % MULTIPLIERS_PPM.length] ?? 0,
      costNanoUsd: Number.MAX_SAFE_INTEGER - index,
      balanceNanoUsd: number(2),
      uncollectedNanoUsd: number(3),
      estimated: index % 2 === 1,
      capped: index % 4 === 1,
      attempts: 1 + index,
      latencyMs: index,
      firstByteMs: index % 2 === 0 ? null : index,
      createdAtMs: Date.UTC(2026, 0, 31, 23, 59, 59, 990) + index,
    });
  }
  await insertUsage(fixture.pool, records);
}

/** Many records of one account. */
async function enterMany(person: Person, count: number): Promise<void> {
  const { id: keyId } = await makeKey(fixture, person, catalog.groupId);
  const base = { accountId: person.accountId, keyId, groupId: catalog.groupId };
  const [requestId] = await insertUsage(fixture.pool, [{ ...base, model: catalog.publicId }]);
  await fixture.pool.query(
    `insert into usage_records
     select copy.* from usage_records r, generate_series(2, $2) n, lateral jsonb_populate_record(r,
       jsonb_build_object('request_id', gen_random_uuid(), 'created_at', r.created_at - n * interval '7 microseconds')) copy
     where r.request_id = $1`,
    [requestId, count],
  );
}

/** The database, and how often it was asked. */
function counting(): { readonly db: Database; asked: () => number } {
  let asked = 0;
  const query = async (text: string, values: unknown[]) => {
    asked += 1;
    return await fixture.pool.query(text, values);
  };
  // The export uses this one of pg's many ways to call it.
  return { db: { query } as unknown as Database, asked: () => asked };
}

describe('a cell that PostgreSQL writes', () => {
  it.each(['\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠SUM(A1)', ' =1', '\u3000=1', '\u200b@x'])(
    'that begins like %j is text for a spreadsheet',
    (cell) => {
      expect(csvLine([cell])).toMatch(/^"?'/);
    },
  );

  it('is the one that is written here, whatever its text', async () => {
    const { rows } = await fixture.pool.query<{ cell: string }>(
      `select ${csvCellSql('v')} as cell from unnest($1::text[]) with ordinality as t(v, n) order by n`,
      [HOSTILE],
    );
    expect(rows.map(({ cell }) => `${cell}\r\n`)).toEqual(HOSTILE.map((text) => csvLine([text])));
  });
});

describe('the export', () => {
  it('says of every record what the list says of it', async () => {
    const person = await fixture.user();
    await enterVariety(person);
    await fixture.pool.query('update groups set name = $2 where id = $1', [
      catalog.groupId,
      '@group, "1"',
    ]);
    const { data } = (
      await fixture.ask('listOwnUsageRecords', { as: person, query: { limit: HOSTILE.length } })
    ).reply;
    const file = await fixture.ask('exportOwnUsage', { as: person });
    expect(data).toHaveLength(HOSTILE.length);
    expect(file.text.startsWith('\uFEFFrequest_id,')).toBe(true);
    expect(file.text.slice(file.text.indexOf('\r\n') + 2)).toBe(data.map(lineOf).join(''));
  });

  it('holds every record once where pages begin between two of one millisecond', async () => {
    const person = await fixture.user();
    await enterMany(person, 1_501);
    const file = await fixture.ask('exportOwnUsage', { as: person });
    const ids = file.text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.slice(0, 36));
    expect(ids).toHaveLength(1_501);
    expect(new Set(ids).size).toBe(1_501);
  });

  it('reads no further than its reader does, and no more once the reader has left', async () => {
    const person = await fixture.user();
    await enterMany(person, 3_000);
    const { db, asked } = counting();
    const { accountId } = person;
    const file = await openCsv(recordFile(db, { accountId }, OWN_CSV));
    // Long enough for a file that is read ahead or on: meanwhile a whole other one is read.
    const meanwhile = async () => {
      const lines = await openCsv(recordFile(fixture.pool, { accountId }, OWN_CSV));
      const reader = lines[Symbol.asyncIterator]();
      while ((await reader.next()).done !== true);
    };
    const reader = file[Symbol.asyncIterator]();
    for (let taken = 0; taken < 3; taken += 1) await reader.next();
    await meanwhile();
    const whileSlow = asked();
    expect(whileSlow).toBeLessThanOrEqual(5);
    file.destroy();
    await meanwhile();
    expect(asked()).toBe(whileSlow);
    expect(fixture.pool.idleCount).toBe(fixture.pool.totalCount);
  });
});
