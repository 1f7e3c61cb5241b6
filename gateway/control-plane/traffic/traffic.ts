import {
  TRAFFIC_DAYS_MAX,
  TRAFFIC_HOURS_MAX,
  type TrafficQuery,
  type TrafficView,
} from '@weir/shared/operations';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { refuseBackwards } from '../api/period.ts';
import type { Database } from '../api/transaction.ts';
import { PARTS_MAX, trafficStatement, type TrafficRange } from './traffic-statement.ts';
import { addSums, NO_SUMS, sumsView, type SumsRow } from './traffic-sums.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Row = SumsRow & {
  readonly startsAt: Date;
  readonly of: string | null;
  readonly label: string | null;
};

/**
 * Requests of a period from the sums that are written with the request log, never from the log
 * itself.
 */
export async function getTraffic(
  db: Database,
  query: TrafficQuery,
): Promise<TrafficView | Refusal> {
  const refused = refuseBackwards(query) ?? refuseMixed(query);
  if (refused !== undefined) return refused;
  const range = readRange(query, databaseNowMs());
  if ('refused' in range) return range;
  const { text, values } = trafficStatement(query, range);
  const { rows } = await db.query<Row>(text, values);
  const parts = new Map<string | null, { label: string | null; sums: SumsRow }>();
  let total = NO_SUMS;
  for (const row of rows) {
    const known = parts.get(row.of);
    parts.set(row.of, { label: row.label, sums: addSums(known?.sums ?? NO_SUMS, row) });
    total = addSums(total, row);
  }
  const totals = [...parts]
    .map(([of, { label, sums }]) => ({ of, label, ...sumsView(sums) }))
    // The rest comes last.
    .toSorted((a, b) => Number(a.of === null) - Number(b.of === null) || b.requests - a.requests);
  return {
    step: range.step,
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    points: rows.map((row) => ({
      startsAt: row.startsAt.toISOString(),
      of: row.of,
      label: row.label,
      ...sumsView(row),
    })),
    totals: totals.slice(0, PARTS_MAX + 1),
    total: { of: null, label: null, ...sumsView(total) },
  };
}

function refuseMixed(query: TrafficQuery): Refusal | undefined {
  if (query.keyId !== undefined) return refuseMixedKey(query);
  const isOfAccounts = query.accountId !== undefined || query.by === 'account';
  const others = (['model', 'channelId', 'groupId'] as const).filter(
    (name) => query[name] !== undefined,
  );
  const isSplit =
    query.accountId !== undefined && !['code', 'none', 'account'].includes(query.by ?? 'none');
  if (!isOfAccounts || (others.length === 0 && !isSplit)) return undefined;
  return refuse(
    'invalid_value',
    'Sums of accounts are not split by model, channel or group. Leave “accountId” or the others out.',
    { param: others[0] ?? 'by' },
  );
}

function refuseMixedKey(query: TrafficQuery): Refusal | undefined {
  const others = (['accountId', 'model', 'channelId', 'groupId'] as const).filter(
    (name) => query[name] !== undefined,
  );
  const isSplit = !['code', 'none'].includes(query.by ?? 'none');
  if (others.length === 0 && !isSplit) return undefined;
  return refuse(
    'invalid_value',
    'Sums of a key are split by code alone. Leave “keyId” or the others out.',
    { param: others[0] ?? 'by' },
  );
}

/** Whole hours or days around the period that is asked for. */
function readRange(query: TrafficQuery, nowMs: number): TrafficRange | Refusal {
  const toMs = query.to === undefined ? nowMs : Date.parse(query.to);
  const fromMs = query.from === undefined ? toMs - DAY_MS : Date.parse(query.from);
  if (toMs - fromMs > TRAFFIC_DAYS_MAX * DAY_MS) {
    return refuse('invalid_value', `Choose at most ${String(TRAFFIC_DAYS_MAX)} days.`, {
      param: 'from',
    });
  }
  const step = toMs - fromMs <= TRAFFIC_HOURS_MAX * HOUR_MS ? 'hour' : 'day';
  const stepMs = step === 'hour' ? HOUR_MS : DAY_MS;
  return {
    step,
    from: new Date(Math.floor(fromMs / stepMs) * stepMs),
    to: new Date(Math.ceil(toMs / stepMs) * stepMs),
  };
}
