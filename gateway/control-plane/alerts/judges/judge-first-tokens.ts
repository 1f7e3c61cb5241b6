import { ALERT_REQUESTS_MIN, FIRST_TOKEN_WINDOW_MINUTES } from '@weir/shared/watch/alerts';
import { verdictOf, type Judge } from './finding.ts';

/** The newest of the window: enough for a percentile, and read from an index. */
const REQUESTS_MAX = 2_000;

const latest = (condition: string): string => `
  select count(*)::integer as requests,
    percentile_disc(0.95) within group (order by first_byte_ms)::integer as "p95Ms"
  from (
    select first_byte_ms from requests r
    where created_at > now() - make_interval(mins => $1) and first_byte_ms is not null ${condition}
    order by created_at desc limit ${String(REQUESTS_MAX)}
  ) latest`;
const OF_ALL = latest('');
const OF_CHANNEL = latest('and channel_id = $2');

const CHANNEL_NAME = 'select name from channels where id = $1';

/** The time within which 95 % of the requests had their first token. */
export const judgeFirstTokens: Judge = async ({ db }, terms) => {
  const { channelId, requestsMin, firstTokenMs } = terms;
  const minutes = terms.windowMinutes ?? FIRST_TOKEN_WINDOW_MINUTES;
  const { rows } = await db.query<{ requests: number; p95Ms: number | null }>(
    channelId === null ? OF_ALL : OF_CHANNEL,
    channelId === null ? [minutes] : [minutes, channelId],
  );
  const { requests = 0, p95Ms = null } = rows[0] ?? {};
  const named =
    channelId === null
      ? undefined
      : (await db.query<{ name: string }>(CHANNEL_NAME, [channelId])).rows[0];
  const isSlow = p95Ms !== null && p95Ms > (firstTokenMs ?? Infinity);
  const isEnough = requests >= (requestsMin ?? ALERT_REQUESTS_MIN);
  return [
    {
      subject: channelId ?? 'requests',
      name: named?.name ?? '',
      // A few slow requests prove nothing; without any it is over.
      verdict: isSlow && !isEnough ? 'unknown' : verdictOf(isSlow),
      value: `${String(p95Ms ?? 0)} ms (${String(requests)})`,
    },
  ];
};
