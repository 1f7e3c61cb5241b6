import { STORAGE_GROUPS, type StorageGroup, type StorageView } from '@weir/shared/watch/storage';
import type { Call } from '../api/call.ts';
import type { AdminContext } from '../api/context.ts';
import { onlyRow } from '../api/transaction.ts';
import { readOnce, type Cache } from './read-once.ts';

/** The size of each table is looked up in the file system; it changes little in a minute. */
const CACHE_MS = 60_000;

/** The group of a table by its name: the first pattern that fits, as a regular expression. */
const PATTERNS: readonly (readonly [StorageGroup, string])[] = [
  ['usage_records', '^usage_records'],
  ['usage_sums', '^(usage|margin)_'],
  ['request_log', '^(requests|request_.*)'],
  ['audit', '^(audit_entries|bulk_change)'],
  [
    'money',
    '^(credits|journal_entries|orders?(_|$)|subscription|redemption|registration_credits|plan)',
  ],
  ['ledger', '^(ledger_|key_spend|scope_spend|spend_budgets)'],
  ['other', ''],
];

const GROUP_OF = PATTERNS.map(
  ([group, pattern]) => `when c.relname ~ '${pattern}' then '${group}'`,
).join(' ');

/** The first day of a partition, as its name ends: `_2026_01` or `_2026_01_31`. */
const FIRST_DAY = `substring(c.relname from '_([0-9]{4}_[0-9]{2}(_[0-9]{2})?)$')`;

const BY_GROUP = `
  select "group", sum(bytes)::text as bytes, min(first_day) as "firstDay"
  from (
    select case ${GROUP_OF} end as "group", pg_total_relation_size(c.oid) as bytes,
      case when c.relispartition then ${FIRST_DAY} end as first_day
    from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  ) tables group by "group"`;

const WHOLE = 'select pg_database_size(current_database())::text as bytes';

interface GroupRow {
  readonly group: StorageGroup;
  readonly bytes: string;
  readonly firstDay: string | null;
}

function dayOf(firstDay: string): string {
  const [year = '', month = '', day = '01'] = firstDay.split('_');
  return `${year}-${month}-${day}`;
}

async function readStorage({ pool, redisMemory }: AdminContext): Promise<StorageView> {
  const { rows } = await pool.query<GroupRow>(BY_GROUP);
  const whole = onlyRow((await pool.query<{ bytes: string }>(WHOLE)).rows);
  const known = new Map(rows.map((row) => [row.group, row]));
  return {
    readAt: new Date().toISOString(),
    database: {
      bytes: Number(whole.bytes),
      groups: STORAGE_GROUPS.map((group) => {
        const { bytes = '0', firstDay = null } = known.get(group) ?? {};
        return { group, bytes: Number(bytes), oldest: firstDay === null ? null : dayOf(firstDay) };
      }),
    },
    // A Redis that is away is said elsewhere on the page; the sizes of tables are of use without.
    redis: [...((await redisMemory?.().catch(() => [])) ?? [])],
  };
}

const STORAGES: Cache<StorageView> = new WeakMap();

/** The space that data takes, read once a minute however many people look. */
export function getStorage({ context }: Call<'getStorage'>): Promise<StorageView> {
  const read = () => readStorage(context);
  return readOnce(STORAGES, context, { cacheMs: CACHE_MS, read });
}
