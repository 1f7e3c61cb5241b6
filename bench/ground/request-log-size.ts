import type pg from 'pg';

/** The size of the request log in PostgreSQL. */
export interface RequestLogSize {
  readonly entries: number;
  /** Tables and indexes of entries and attempts. */
  readonly bytes: number;
}

const SIZE = `
  select (select count(*)::integer from requests) as entries,
    (select sum(pg_total_relation_size(inhrelid))::float8 from pg_inherits
     where inhparent in ('requests'::regclass, 'request_attempts'::regclass)) as bytes`;

export async function requestLogSize(pool: pg.Pool): Promise<RequestLogSize> {
  const { rows } = await pool.query<RequestLogSize>(SIZE);
  return rows[0] ?? { entries: 0, bytes: 0 };
}
