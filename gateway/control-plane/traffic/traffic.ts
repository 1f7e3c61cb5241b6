import {
  TRAFFIC_DAYS_MAX,
  TRAFFIC_HOURS_MAX,
  TRAFFIC_TOTALS_MAX,
  type TrafficPoint,
  type TrafficQuery,
  type TrafficTotal,
  type TrafficView,
} from '@weir/shared/watch/operations';
import { databaseNowMs } from '../../platform/clock/store-clock.ts';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { refuseBackwards } from '../api/lists/period.ts';
import type { Database } from '../api/transaction.ts';
import {
  PARTS_MAX,
  pointsStatement,
  totalsStatement,
  type TrafficFilter,
  type TrafficRange,
} from './traffic-statement.ts';
import { addSums, NO_SUMS, sumsView, type SumsRow } from './traffic-sums.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type PartRow = SumsRow & { readonly of: string | null; readonly label: string | null };
type PointRow = PartRow & { readonly startsAt: Date };

/**
 * Requests of a period from the sums that are written with the request log, never from the log
 * itself.
 */
export async function getTraffic(
  db: Database,
  query: TrafficFilter,
): Promise<TrafficView | Refusal> {
  const refused = refuseBackwards(query) ?? refuseMixed(query);
  if (refused !== undefined) return refused;
  const range = readRange(query, databaseNowMs());
  if ('refused' in range) return range;
  const points = pointsStatement(query, range);
  const { rows } = await db.query<PointRow>(points.text, points.values);
  const parts = sumsOfParts(rows) ?? (await readTotals(db, query, range));
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
    steps: stepsView(rows),
    totals: totalsView(parts),
    total: { of: null, label: null, ...sumsView(parts.reduce(addSums, NO_SUMS)) },
  };
}

/** Adding the parts of a step spares a chart of the whole a query of its own. */
function stepsView(points: readonly PointRow[]): TrafficPoint[] {
  const steps = new Map<string, SumsRow>();
  for (const { startsAt, ...sums } of points) {
    const step = startsAt.toISOString();
    steps.set(step, addSums(steps.get(step) ?? NO_SUMS, sums));
  }
  return [...steps].map(([startsAt, sums]) => ({
    startsAt,
    of: null,
    label: null,
    ...sumsView(sums),
  }));
}

async function readTotals(
  db: Database,
  query: TrafficFilter,
  range: TrafficRange,
): Promise<readonly PartRow[]> {
  const { text, values } = totalsStatement(query, range);
  return (await db.query<PartRow>(text, values)).rows;
}

/**
 * The sums of the period from those of its hours or days, which spares reading them twice;
 * undefined if the rest may contain parts that have names.
 */
function sumsOfParts(points: readonly PointRow[]): readonly PartRow[] | undefined {
  const parts = new Map<string | null, PartRow>();
  for (const { of, label, ...sums } of points) {
    parts.set(of, { of, label, ...addSums(parts.get(of) ?? NO_SUMS, sums) });
  }
  if (parts.size >= PARTS_MAX) return undefined;
  return [...parts.values()].toSorted(
    (a, b) => b.requests - a.requests || b.failedAttempts - a.failedAttempts,
  );
}

/** The parts by name, and last the rest: what has no name, and what is too much to list. */
function totalsView(parts: readonly PartRow[]): TrafficTotal[] {
  const named = parts.filter(({ of }) => of !== null);
  const listed = named.slice(0, TRAFFIC_TOTALS_MAX);
  const rest = [...parts.filter(({ of }) => of === null), ...named.slice(TRAFFIC_TOTALS_MAX)];
  const views: TrafficTotal[] = listed.map((row) => ({
    of: row.of,
    label: row.label,
    ...sumsView(row),
  }));
  if (rest.length === 0) return views;
  return [...views, { of: null, label: null, ...sumsView(rest.reduce(addSums, NO_SUMS)) }];
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
