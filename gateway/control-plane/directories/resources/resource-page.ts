import type { Database } from '../../api/transaction.ts';
import { parseFilter } from '../scim/filter.ts';
import { FilterCondition, type ResourceColumns } from '../scim/filter-sql.ts';
import { fieldIn } from '../scim/schema.ts';
import { invalid } from '../scim/scim-error.ts';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const COUNT_DEFAULT = 100;
/** Resources of one reply; `ServiceProviderConfig` says so. */
export const COUNT_MAX = 500;

export type ScimQuery = Readonly<Record<string, unknown>>;

/** Finds a parameter by its name in any case: some clients write "startindex". */
export function parameter(query: ScimQuery, name: string): string | undefined {
  const value = fieldIn(query, name)?.[1];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function integer(query: ScimQuery, name: string): number | undefined {
  const text = parameter(query, name);
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,9}$/.test(text)) throw invalid('invalidValue', `"${name}" is no whole number.`);
  return Number(text);
}

interface Listing<Row> {
  readonly columns: ResourceColumns;
  /** `from … where …` with the provider as its first parameter. */
  readonly from: string;
  readonly select: string;
  readonly providerId: string;
  readonly view: (row: Row) => object;
}

/** Replies to a search (RFC 7644, section 3.4.2): an empty list when nothing is found. */
export async function listResources<Row extends object>(
  db: Database,
  query: ScimQuery,
  { columns, from, select, providerId, view }: Listing<Row>,
): Promise<object> {
  const startIndex = Math.max(1, integer(query, 'startIndex') ?? 1);
  const count = Math.min(COUNT_MAX, Math.max(0, integer(query, 'count') ?? COUNT_DEFAULT));
  const filter = parameter(query, 'filter');
  const condition = new FilterCondition(columns, [providerId]);
  const where = filter === undefined ? 'true' : condition.sql(parseFilter(filter));
  const found = await db.query<{ total: number }>(
    `select count(*)::integer as total ${from} and ${where}`,
    condition.values,
  );
  const page = `${select} ${from} and ${where} order by u.id limit ${String(count)} offset ${String(startIndex - 1)}`;
  const { rows } = await db.query<Row>(page, condition.values);
  return {
    schemas: [LIST_SCHEMA],
    totalResults: found.rows[0]?.total ?? 0,
    startIndex,
    itemsPerPage: rows.length,
    Resources: rows.map(view),
  };
}
