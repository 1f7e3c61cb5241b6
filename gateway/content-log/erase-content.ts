import type pg from 'pg';
import { contentKeptSince } from './content-kept.ts';

/** Rows of one statement, so that none runs for long. */
const BATCH = 500;
/** Keys of one page. */
const KEYS = 500;
/** Volumes of earlier days decide nothing. */
const FORGET_VOLUMES = `delete from content_log_volumes where day < (now() at time zone 'UTC')::date - 1`;

const KEYS_WITH_CONTENT = `
  select k.id, k.status = 'deleted' as "isDeleted" from keys k
  where k.content_log_member_id is not null and k.id > $1 order by k.id limit ${KEYS}`;

const ERASE = `
  delete from content_records where request_id in (
    select r.request_id from content_records r join keys k on k.id = r.key_id
    where r.key_id = $1 and (k.status = 'deleted' or r.created_at < ${contentKeptSince('$2')})
    order by r.created_at limit ${BATCH})`;

/** Nothing is entered for a deleted key, so that it need not be looked at again. */
const FORGET_KEY = `
  update keys set content_log = false, content_log_member_id = null
  where id = $1 and status = 'deleted'`;

/**
 * Deletes content that is over its days, that was erased, or whose key is deleted.
 * @param daysMax CONTENT_LOG_DAYS_MAX
 */
export async function eraseOldContent(
  { pool }: { readonly pool: Pick<pg.Pool, 'query'> },
  daysMax: number,
): Promise<void> {
  await pool.query(FORGET_VOLUMES);
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<{ id: string; isDeleted: boolean }>(KEYS_WITH_CONTENT, [
      after,
    ]);
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const { id, isDeleted } of rows) {
      await eraseContentOfKey(pool, id, daysMax);
      if (isDeleted) await pool.query(FORGET_KEY, [id]);
    }
    after = last.id;
  }
}

/** Deletes what a key no longer keeps. */
export async function eraseContentOfKey(
  pool: Pick<pg.Pool, 'query'>,
  keyId: string,
  daysMax: number,
): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(ERASE, [keyId, daysMax]);
    if ((rowCount ?? 0) < BATCH) return;
  }
}
