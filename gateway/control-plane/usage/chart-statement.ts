import type { UsageDayAdminQuery } from '@weir/shared/watch/usage';
import { Conditions } from '../api/lists/conditions.ts';
import { memberNameSql, teamNameSql } from './record-row.ts';
import type { UsageScope } from './whose-usage.ts';

/** The content of a chart, and the account or member that it is about. */
export type ChartQuery = UsageDayAdminQuery & UsageScope;

export interface DayRange {
  /** Inclusive, `2026-01-31`. */
  readonly from: string;
  readonly to: string;
}

/** A search, and its parameters. */
export interface ChartStatement {
  readonly text: string;
  readonly values: unknown[];
}

/** A chart with more lines cannot be read; the rest is one line. */
export const SPLIT_MAX = 20;

/** The days of a chart, and how many parts of them have lines of their own. */
export interface Split {
  readonly range: DayRange;
  readonly splitMax: number | 'all';
}

type Dimension = NonNullable<UsageDayAdminQuery['by']>;

/**
 * The column each dimension splits by, and where its names are. From code, never from a request.
 */
export const SPLITS: Readonly<
  Record<Dimension, { readonly column: string; readonly label: string }>
> = {
  none: { column: 'null::text', label: 'null::text' },
  model: { column: 'd.model', label: 'top.of' },
  key: { column: 'd.key_id', label: '(select name from keys where id = top.of::uuid)' },
  group: { column: 'd.group_id', label: '(select name from groups where id = top.of::uuid)' },
  account: { column: 'd.account_id', label: '(select name from accounts where id = top.of::uuid)' },
  member: { column: 'nullif(d.member_id, 0)', label: memberNameSql('top.of::bigint') },
  team: { column: 'nullif(d.team_id, 0)', label: teamNameSql('top.of::bigint') },
};

/**
 * The smallest table that has the answer: days that are over are summed up by model and group, by
 * key, and by account and model (0005_usage_sums.sql, 0006_usage_account_sums.sql). Only who asks
 * about more at once reads the daily book.
 */
function bookOf(query: ChartQuery, by: Dimension): string {
  const { memberId, ownMemberId, teamId } = query;
  const aboutMembers = [memberId, ownMemberId, teamId].some((id) => id !== undefined);
  if (aboutMembers || isOfMembers(by)) return 'usage_member_days';
  const aboutKeys = by === 'key' || query.keyId !== undefined;
  const aboutAccounts = aboutKeys || by === 'account' || query.accountId !== undefined;
  const aboutModels = by === 'model' || query.model !== undefined;
  if (!aboutAccounts) return 'usage_by_model';
  if (by === 'group' || query.groupId !== undefined) return 'usage_daily';
  if (!aboutModels) return 'usage_by_key';
  return aboutKeys ? 'usage_daily' : 'usage_by_account';
}

/** Only what belongs to one is in their book; the rest of the account is found in another. */
function isOfMembers(by: Dimension): by is 'member' | 'team' {
  return by === 'member' || by === 'team';
}

/** The summed columns, with their names in a row. */
export const SUMMED = [
  ['requests', 'requests'],
  ['input_tokens', 'inputTokens'],
  ['cached_input_tokens', 'cachedInputTokens'],
  ['output_tokens', 'outputTokens'],
  ['cost_nano_usd', 'costNanoUsd'],
] as const;

/** The sums of the rows `d`, as text, which holds them however large they are. */
export const SUMS_AS_TEXT = SUMMED.map(
  ([column, name]) => `sum(d.${column})::text as "${name}"`,
).join(', ');

const COLUMNS = SUMMED.map(([column]) => column).join(', ');
const SUMS = SUMMED.map(([column]) => `sum(d.${column}) as ${column}`).join(', ');

function conditionsOf(query: ChartQuery, range: DayRange): Conditions {
  const conditions = new Conditions();
  conditions.add(`d.day between ${conditions.place(range.from)} and ${conditions.place(range.to)}`);
  conditions.equal('d.account_id', query.accountId);
  conditions.equal('d.model', query.model);
  conditions.equal('d.group_id', query.groupId);
  conditions.equal('d.member_id', query.memberId);
  conditions.equal('d.team_id', query.teamId);
  if (query.ownMemberId !== undefined) {
    conditions.add(`d.member_id = ${conditions.place(query.ownMemberId)}::bigint`);
  }
  if (query.keyId === undefined) return conditions;
  const key = conditions.place(query.keyId);
  // Both books of keys are found by account, whose key it is.
  conditions.add(
    `d.key_id = ${key} and d.account_id = (select account_id from keys where id = ${key})`,
  );
  return conditions;
}

/**
 * Few parts: the book is summed up once, and both the most expensive parts and the rest of each day
 * are found in the sums.
 */
function daysOfFew(
  by: Dimension,
  { book, splitMax }: { readonly book: string } & Pick<Split, 'splitMax'>,
  where: string,
): string {
  return `
    cells as materialized (
      select d.day, ${SPLITS[by].column} as of, ${SUMS} from ${book} d ${where} group by 1, 2
    ), costliest as materialized (
      select of from cells group by of order by sum(cost_nano_usd) desc, of limit ${splitMax}
    ), days as (
      select d.day, d.of::text as of, ${COLUMNS} from cells d join costliest on costliest.of = d.of
      union all
      select d.day, null, ${SUMS}
      from cells d left join costliest on costliest.of = d.of where costliest.of is null group by d.day
    )`;
}

/**
 * Everyone's keys or accounts, so many that summing them up by day takes longer than reading the
 * book; or members or teams, of whom alone the parts are. Only what each costs is summed up over
 * all of them; the most expensive are then found by index, and the rest is what the whole, of the
 * smallest book that knows it, is more than they are.
 */
function daysOfMany(
  by: Exclude<Dimension, 'none'>,
  books: { readonly parts: string; readonly whole: string } & Pick<Split, 'splitMax'>,
  where: string,
): string {
  const { column } = SPLITS[by];
  const rest = SUMMED.map(([name]) => `w.${name} - coalesce(d.${name}, 0)`).join(', ');
  return `
    costliest as materialized (
      select ${column} as of, d.account_id from ${books.parts} d ${where} and ${column} is not null group by ${column}, d.account_id
      order by sum(d.cost_nano_usd) desc, 1 limit ${books.splitMax}
    ), tops as materialized (
      select d.day, ${column} as of, ${SUMS} from ${books.parts} d ${where}
        and d.account_id = any (array(select account_id from costliest)) and ${column} = any (array(select of from costliest))
      group by 1, 2
    ), top_days as (
      select d.day, ${SUMS} from tops d group by 1
    ), whole as (
      select d.day, ${SUMS} from ${books.whole} d ${where} group by 1
    ), days as (
      select day, of::text as of, ${COLUMNS} from tops
      union all
      select w.day, null, ${rest} from whole w left join top_days d on d.day = w.day
      where w.requests > coalesce(d.requests, 0)
    )`;
}

/** The search for a chart's days, each split into its most expensive parts and the rest. */
export function chartStatement(query: ChartQuery, { range, splitMax }: Split): ChartStatement {
  const by = query.by ?? 'none';
  const { sql: where, values } = conditionsOf(query, range);
  const parts = bookOf(query, by);
  const isWholeGateway = query.accountId === undefined && query.keyId === undefined;
  const days =
    isOfMembers(by) || (isWholeGateway && (by === 'key' || by === 'account'))
      ? daysOfMany(by, { parts, whole: bookOf(query, 'none'), splitMax }, where)
      : daysOfFew(by, { book: parts, splitMax }, where);
  const sums = SUMMED.map(([column, name]) => `top.${column}::text as "${name}"`).join(', ');
  const text = `
    with ${days}
    select to_char(top.day, 'YYYY-MM-DD') as day, null::integer as hour, top.of, ${SPLITS[by].label} as label, ${sums}
    from days top order by top.day, top.of is null, top.cost_nano_usd desc, top.of`;
  return { text, values };
}
