import { decimalFromNanoUsd, nanoUsdFromDecimal } from '@weir/shared/money/money';
import { verdictOf, type Judge } from './finding.ts';

const USUAL_HOURS = 168;
/** A day of sums shows what is usual; after a first start everything is unusual. */
const KNOWN_HOURS_MIN = 24;

/**
 * Whole hours alone: the running one grows. Hours without requests cost nothing and have no sums.
 */
const SPEND = `
  with bounds as (select date_trunc('hour', now()) - interval '1 hour' as latest)
  select coalesce(sum(cost_nano_usd) filter (where starts_at = latest), 0)::float8 as "latestNanoUsd",
    coalesce(sum(cost_nano_usd) filter (where starts_at < latest), 0)::float8 as "earlierNanoUsd",
    coalesce(extract(epoch from max(latest) - min(starts_at)) / 3600, 0)::float8 as hours
  from request_sums cross join bounds
  where grain = 'hour' and starts_at <= latest
    and starts_at >= latest - make_interval(hours => ${String(USUAL_HOURS)})`;

interface SpendRow {
  readonly latestNanoUsd: number;
  readonly earlierNanoUsd: number;
  /** From the first hour that has sums to the latest. */
  readonly hours: number;
}

const dollars = (nanoUsd: number): string => `$${decimalFromNanoUsd(Math.round(nanoUsd))}`;

/** The last whole hour, compared with the hourly mean of the seven days before it. */
export const judgeSpend: Judge = async ({ db }, { timesUsual, overUsd }) => {
  const { rows } = await db.query<SpendRow>(SPEND);
  const { latestNanoUsd = 0, earlierNanoUsd = 0, hours = 0 } = rows[0] ?? {};
  const usualNanoUsd = hours === 0 ? 0 : earlierNanoUsd / hours;
  const overNanoUsd = overUsd === null ? 0 : (nanoUsdFromDecimal(overUsd) ?? 0);
  const isMuch = latestNanoUsd >= Math.max(1, overNanoUsd);
  const isUnusual = latestNanoUsd >= (timesUsual ?? Infinity) * usualNanoUsd;
  return [
    {
      subject: 'spend',
      name: '',
      verdict: verdictOf(hours >= KNOWN_HOURS_MIN && isMuch && isUnusual),
      value: `${dollars(latestNanoUsd)} / ${dollars(usualNanoUsd)}`,
    },
  ];
};
