import type { AlertKind, AlertTerms } from '@weir/shared/watch/alerts';
import {
  ALERT_REQUESTS_MIN,
  ALERT_WINDOW_MINUTES,
  REGISTRATION_WINDOW_MINUTES,
} from '@weir/shared/watch/alerts';
import { decimalFromNanoUsd, nanoUsdFromDecimal } from '@weir/shared/money/money';
import type { BalanceCurrency } from '@weir/shared/prices/upstream-balances';
import { verdictOf, type Finding, type Judge, type Sources } from './finding.ts';
import { judgeFirstTokens } from './judge-first-tokens.ts';
import { judgeRefunds } from './judge-refunds.ts';
import { judgeSpend } from './judge-spend.ts';

interface JudgedRule {
  readonly kind: AlertKind;
  readonly terms: AlertTerms;
}

/**
 * A channel that has failed so often and never served fails; with fewer attempts, its breaker
 * decides.
 */
const ATTEMPTS_MIN = 3;
const CHANNEL_WINDOW_MINUTES = 5;
/** Subjects of a rule at a time. */
const ACCOUNTS_MAX = 500;
const USED_WITHIN_DAYS = 7;
const PERCENT = 100;

const CHANNELS = `
  select id, name, exists (
    select from channel_tests t where t.channel_id = c.id and t.ok and t.created_at > now() - make_interval(mins => $2)
  ) as "wasTestedWell"
  from channels c where status = 'active' and ($1::uuid is null or id = $1) order by name`;

const ACCOUNT = `
  select id, name, balance_nano_usd as "balanceNanoUsd" from accounts where id = $1`;

/** Begins with who used something: accounts without money are many, and most of them are idle. */
const LOW_ACCOUNTS = `
  with watched as materialized (
    select account_id as id from usage_by_key
    where day >= (now() at time zone 'UTC')::date - ${String(USED_WITHIN_DAYS)}
    union select subject::uuid from unnest($2::text[]) as known(subject))
  select id, name, balance_nano_usd as "balanceNanoUsd" from accounts join watched using (id)
  where balance_nano_usd < $1
  order by id limit ${String(ACCOUNTS_MAX)}`;

const REGISTRATIONS = `
  select coalesce(sum(of_network), 0)::integer as count, coalesce(max(of_network), 0)::integer as busiest
  from (select count(*) as of_network from users
        where registered_from is not null and created_at > now() - make_interval(mins => $1)
        group by registered_from) counted`;

interface ChannelRow {
  readonly id: string;
  readonly name: string;
  readonly wasTestedWell: boolean;
}

interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly balanceNanoUsd: number;
}

async function readChannels({ db }: Sources, terms: AlertTerms): Promise<ChannelRow[]> {
  const { rows } = await db.query<ChannelRow>(CHANNELS, [terms.channelId, CHANNEL_WINDOW_MINUTES]);
  return rows;
}

/** A channel that no request tries any more has not recovered: its state stays as it was. */
async function judgeChannels(sources: Sources, terms: AlertTerms): Promise<Finding[]> {
  const signals = await sources.signals.channels(CHANNEL_WINDOW_MINUTES);
  return (await readChannels(sources, terms)).map(({ id, name, wasTestedWell }) => {
    const signal = signals.find(({ channelId }) => channelId === id);
    const { attempts = 0, failures = 0, isOpen = false } = signal ?? {};
    const fails = isOpen || (attempts >= ATTEMPTS_MIN && failures === attempts);
    const serves = attempts > failures || wasTestedWell;
    const verdict = fails ? 'true' : serves ? 'false' : 'unknown';
    return { subject: id, name, verdict, value: `${failures}/${attempts}` };
  });
}

function judgeRate(
  { requests, failures }: { readonly requests: number; readonly failures: number },
  terms: AlertTerms,
): Pick<Finding, 'verdict' | 'value'> {
  const { percent, requestsMin } = terms;
  const rate = requests === 0 ? 0 : (failures * PERCENT) / requests;
  const value = `${String(Math.round(rate * 10) / 10)} % (${failures}/${requests})`;
  const isEnough = requests >= (requestsMin ?? ALERT_REQUESTS_MIN);
  if (!isEnough) return { verdict: failures === 0 ? 'false' : 'unknown', value };
  return { verdict: verdictOf(rate >= (percent ?? PERCENT)), value };
}

async function judgeErrors(sources: Sources, terms: AlertTerms): Promise<Finding[]> {
  const windowMinutes = terms.windowMinutes ?? ALERT_WINDOW_MINUTES;
  if (terms.channelId === null) {
    const counted = await sources.signals.requests(windowMinutes);
    return [{ subject: 'requests', name: '', ...judgeRate(counted, terms) }];
  }
  const signals = await sources.signals.channels(windowMinutes);
  return (await readChannels(sources, terms)).map(({ id, name }) => {
    const { attempts = 0, failures = 0 } = signals.find(({ channelId }) => channelId === id) ?? {};
    return { subject: id, name, ...judgeRate({ requests: attempts, failures }, terms) };
  });
}

function thresholdOf({ belowUsd }: AlertTerms): number {
  return belowUsd === null ? 0 : (nanoUsdFromDecimal(belowUsd) ?? 0);
}

const SIGNS: Readonly<Record<BalanceCurrency, string>> = { USD: '$', CNY: '¥' };

/** The sign of the amount, that of its currency, the amount: -$1.50. */
function amount(nano: number, currency: BalanceCurrency): string {
  const magnitude = SIGNS[currency] + decimalFromNanoUsd(Math.abs(nano));
  return nano < 0 ? `-${magnitude}` : magnitude;
}

const dollars = (nanoUsd: number): string => amount(nanoUsd, 'USD');

/** The balance of the book, a second or so behind the ledger's. */
async function judgeCustomers({ db, subjects }: Sources, terms: AlertTerms): Promise<Finding[]> {
  const threshold = thresholdOf(terms);
  const { rows } =
    terms.accountId === null
      ? await db.query<AccountRow>(LOW_ACCOUNTS, [threshold, subjects])
      : await db.query<AccountRow>(ACCOUNT, [terms.accountId]);
  return rows.map(({ id, name, balanceNanoUsd }) => ({
    subject: id,
    name,
    verdict: verdictOf(balanceNanoUsd < threshold),
    value: dollars(balanceNanoUsd),
  }));
}

/** Compares in the upstream's own currency: an exchange rate would be a guess. */
async function judgeUpstreams(sources: Sources, terms: AlertTerms): Promise<Finding[]> {
  const threshold = thresholdOf(terms);
  const balances = await sources.signals.upstreamBalances();
  return (await readChannels(sources, terms)).map(({ id, name }) => {
    const reported = balances.find(({ channelId }) => channelId === id);
    return {
      subject: id,
      name,
      verdict: reported === undefined ? 'unknown' : verdictOf(reported.balanceNano < threshold),
      value: reported === undefined ? '' : amount(reported.balanceNano, reported.currency),
    };
  });
}

async function judgeDrain({ signals }: Sources, terms: AlertTerms): Promise<Finding[]> {
  const lagMs = await signals.drainLagMs();
  const seconds = Math.round((lagMs ?? 0) / 1_000);
  const verdict = lagMs === null ? 'unknown' : verdictOf(seconds >= (terms.lagSeconds ?? 0));
  return [{ subject: 'drain', name: '', verdict, value: `${String(seconds)} s` }];
}

async function judgeJobs({ signals }: Sources, terms: AlertTerms): Promise<Finding[]> {
  const jobs = await signals.jobs();
  return jobs
    .filter(({ name }) => terms.job === null || terms.job === name)
    .map(({ name, isLate, lastFailure }) => ({
      subject: name,
      name,
      verdict: verdictOf(isLate),
      value: lastFailure ?? '',
    }));
}

/** Accounts that registered themselves, with what share of them the busiest network has. */
async function judgeRegistrations({ db }: Sources, terms: AlertTerms): Promise<Finding[]> {
  const windowMinutes = terms.windowMinutes ?? REGISTRATION_WINDOW_MINUTES;
  const { rows } = await db.query<{ count: number; busiest: number }>(REGISTRATIONS, [
    windowMinutes,
  ]);
  const { count = 0, busiest = 0 } = rows[0] ?? {};
  const verdict = verdictOf(count >= (terms.registrationsMin ?? Infinity));
  const value = `${String(count)} / ${String(windowMinutes)} min (${String(busiest)} / network)`;
  return [{ subject: 'registrations', name: '', verdict, value }];
}

/** One finding of each kind: messages have figures in them that change. */
async function judgeProblems({ signals }: Sources): Promise<Finding[]> {
  const errors = (await signals.problems()).filter(({ severity }) => severity === 'error');
  const byKind = new Map(errors.map((problem) => [problem.kind, problem]));
  return [...byKind.values()].map(({ kind, message }) => ({
    subject: kind,
    name: kind,
    verdict: 'true',
    value: message,
  }));
}

const JUDGES: Readonly<Record<AlertKind, Judge>> = {
  channel_failing: judgeChannels,
  error_rate: judgeErrors,
  customer_balance: judgeCustomers,
  upstream_balance: judgeUpstreams,
  drain_lag: judgeDrain,
  job_not_run: judgeJobs,
  registration_wave: judgeRegistrations,
  first_token_slow: judgeFirstTokens,
  spend_anomaly: judgeSpend,
  store_problem: judgeProblems,
  refund_waiting: judgeRefunds,
};

/** Judges a rule of everything that it watches. What is not among the findings is gone, or fine. */
export function judgeRule(rule: JudgedRule, sources: Sources): Promise<Finding[]> {
  return JUDGES[rule.kind](sources, rule.terms);
}
