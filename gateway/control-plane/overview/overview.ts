import { mayCall } from '@weir/shared/api/may-call';
import type { Overview } from '@weir/shared/watch/overview';
import type { Standing } from '@weir/shared/api/permissions';
import type { Problem } from '@weir/shared/api/problems';
import { causeOf } from '../../platform/errors/cause-of.ts';
import { decimalFromSum } from '../api/amount.ts';
import { LIVE_SECONDS } from '../alerts/judges/stored-signals.ts';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { onlyRow } from '../api/transaction.ts';
import { channelHealth } from '../channels/channel-health.ts';
import { readChannels } from '../channels/channel-row.ts';
import { readNeeds } from './read-needs.ts';
import { readOnce, type Cache } from './read-once.ts';
import { IS_CREDIT, readTrends } from './read-trends.ts';

const WINDOW_SECONDS = 60;
/** Several people may watch the same page; the figures are read once for all of them. */
const CACHE_MS = 2_000;
/** Figures of a day change little in half a minute, and are read from many more rows. */
const TRENDS_CACHE_MS = 30_000;

const TRAFFIC = `
  select count(*)::integer as requests,
    count(*) filter (where usage_status(status) in ('failed', 'upstream_disconnected', 'ledger_unavailable'))::integer as failures,
    percentile_cont(0.5) within group (order by latency_ms) as "latencyMsP50",
    percentile_cont(0.95) within group (order by latency_ms) as "latencyMsP95",
    percentile_cont(0.5) within group (order by first_byte_ms) as "firstByteMsP50"
  from usage_records where created_at > now() - make_interval(secs => $1)`;

const BY_CHANNEL = `
  select channel_id as "channelId", count(*)::integer as requests,
    count(*) filter (where usage_status(status) in ('failed', 'upstream_disconnected'))::integer as failures
  from usage_records where created_at > now() - make_interval(secs => $1) and channel_id is not null
  group by channel_id`;

const SPEND = `
  select coalesce(sum(cost_nano_usd) filter (where day = today), 0)::text as today,
    coalesce(sum(cost_nano_usd), 0)::text as month, coalesce(sum(uncollected_nano_usd), 0)::text as uncollected,
    (select coalesce(sum(amount_nano_usd), 0)::text from credits
     where created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
       and ${IS_CREDIT}) as credits,
    (select count(distinct account_id)::integer from usage_by_key
     where day = (now() at time zone 'UTC')::date) as active
  from usage_by_model cross join (select (now() at time zone 'UTC')::date as today) clock
  where day >= date_trunc('month', today)::date`;

/** Where a process reports nothing, as in tests. */
const NO_PROCESS = '00000000-0000-0000-0000-000000000000';

/** Each problem once, however many other processes have it. */
const PROBLEMS = `
  select distinct on (problem) problem from (
    select distinct on (process_id) problems from process_reports
    where at > now() - make_interval(secs => ${String(LIVE_SECONDS)}) and process_id <> $1
    order by process_id, at desc
  ) newest cross join jsonb_array_elements(problems) as problem`;

const ACCOUNTS = `
  select count(*)::integer as total, count(*) filter (where status = 'suspended')::integer as suspended
  from accounts`;

type TrafficRow = Omit<Overview['traffic'], 'windowSeconds' | 'requestsPerSecond'>;

interface SpendRow {
  readonly today: string;
  readonly month: string;
  readonly uncollected: string;
  readonly credits: string;
  readonly active: number;
}

interface ChannelTrafficRow {
  readonly channelId: string;
  readonly requests: number;
  readonly failures: number;
}

async function readLedger(context: AdminContext): Promise<Overview['ledger']> {
  try {
    await context.ledger.probe();
    return { reachable: true, error: null };
  } catch (error) {
    return { reachable: false, error: causeOf(error) };
  }
}

/** Reads the problems that this process finds now, and those that the others have reported. */
async function readProblems({
  pool,
  problems,
  processId,
}: AdminContext): Promise<Overview['problems']> {
  const own = problems?.() ?? [];
  const { rows } = await pool.query<{ problem: Problem }>(PROBLEMS, [processId ?? NO_PROCESS]);
  const known = new Set(own.map(({ message }) => message));
  return [...own, ...rows.map((row) => row.problem).filter(({ message }) => !known.has(message))];
}

async function readOverviewChannels(context: AdminContext): Promise<Overview['channels']> {
  const { rows } = await context.pool.query<ChannelTrafficRow>(BY_CHANNEL, [WINDOW_SECONDS]);
  const traffic = new Map(rows.map((row) => [row.channelId, row]));
  const statuses = context.channelStatus?.() ?? [];
  return (await readChannels(context.pool)).map(({ id, name, kind, status, lastTest }) => ({
    id,
    name,
    kind,
    status,
    state: channelHealth(id, statuses, lastTest).state,
    requests: traffic.get(id)?.requests ?? 0,
    failures: traffic.get(id)?.failures ?? 0,
  }));
}

async function readOverview(context: AdminContext): Promise<Overview> {
  const { pool } = context;
  const traffic = onlyRow((await pool.query<TrafficRow>(TRAFFIC, [WINDOW_SECONDS])).rows);
  const spend = onlyRow((await pool.query<SpendRow>(SPEND)).rows);
  const accounts = onlyRow((await pool.query<{ total: number; suspended: number }>(ACCOUNTS)).rows);
  return {
    at: new Date().toISOString(),
    traffic: {
      ...traffic,
      windowSeconds: WINDOW_SECONDS,
      requestsPerSecond: traffic.requests / WINDOW_SECONDS,
    },
    spend: {
      todayUsd: decimalFromSum(spend.today),
      monthUsd: decimalFromSum(spend.month),
      uncollectedMonthUsd: decimalFromSum(spend.uncollected),
      creditsMonthUsd: decimalFromSum(spend.credits),
    },
    accounts: { ...accounts, activeToday: spend.active },
    trends: await readTrendsOnce(context),
    needs: await readNeeds(pool),
    channels: await readOverviewChannels(context),
    problems: await readProblems(context),
    ledger: await readLedger(context),
    drain: (await context.drainStatus?.()) ?? null,
    threads: [...(context.threadStatus?.() ?? [])],
    jobs: context.jobs.status().map(({ name, lastSuccessAtMs, isLate, lastFailure }) => ({
      name,
      lastSuccessAt: lastSuccessAtMs === null ? null : new Date(lastSuccessAtMs).toISOString(),
      late: isLate,
      lastFailure,
    })),
  };
}

const OVERVIEWS: Cache<Overview> = new WeakMap();
const TRENDS: Cache<Overview['trends']> = new WeakMap();

function readTrendsOnce(context: AdminContext): Promise<Overview['trends']> {
  const read = () => readTrends(context.pool);
  return readOnce(TRENDS, context, { cacheMs: TRENDS_CACHE_MS, read });
}

/** Supporters see neither what upstreams cost nor what is left there. */
function visibleTo(caller: Standing, overview: Overview): Overview {
  const { trends, needs } = overview;
  return {
    ...overview,
    trends: {
      ...trends,
      marginPercent: mayCall(caller, 'getMargins') ? trends.marginPercent : null,
    },
    needs: {
      ...needs,
      alerts: mayCall(caller, 'listAlertRules') ? needs.alerts : [],
      lowBalances: mayCall(caller, 'listUpstreamBalances') ? needs.lowBalances : [],
    },
  };
}

export async function getOverview({ context, caller }: Call<'getOverview'>): Promise<Overview> {
  const read = () => readOverview(context);
  const overview = await readOnce(OVERVIEWS, context, { cacheMs: CACHE_MS, read });
  return visibleTo(caller, overview);
}
