import type { UsageRecordAdminListQuery } from '@weir/shared/watch/usage';
import { Conditions } from '../api/lists/conditions.ts';
import { addPosition, type RowPosition } from '../api/lists/newest-first.ts';
import type { Database } from '../api/transaction.ts';
import { RECORD_COLUMNS, type RecordRow } from './record-row.ts';
import { keyOfMember, type UsageScope } from './whose-usage.ts';

export type RecordFilter = Omit<UsageRecordAdminListQuery, 'cursor' | 'limit'> & UsageScope;

/** Returns the conditions of a search for the records `r` after a position, newest first. */
export function recordConditions(filter: RecordFilter, after: RowPosition | null): Conditions {
  const conditions = new Conditions();
  conditions.equal('r.account_id', filter.accountId);
  conditions.equal('r.key_id', filter.keyId);
  if (filter.ownMemberId !== undefined) {
    conditions.add(keyOfMember('r.key_id', conditions.place(filter.ownMemberId)));
  }
  conditions.equal('r.group_id', filter.groupId);
  conditions.equal('r.member_id', filter.memberId);
  conditions.equal('r.team_id', filter.teamId);
  conditions.equal('r.model', filter.model);
  conditions.equal('r.channel_id', filter.channelId);
  if (filter.status !== undefined) {
    const status = conditions.place(filter.status);
    conditions.add(`r.status in (${status}, former_usage_status(${status}))`);
  }
  // The partial index on everything that did not complete is only seen when the query says so.
  if ((filter.status ?? 'completed') !== 'completed' || filter.outcome === 'failed') {
    conditions.add(`r.status <> 'completed'`);
  }
  if (filter.outcome === 'served') conditions.add(`r.status = 'completed'`);
  addPosition(conditions, filter, after);
  return conditions;
}

/** Records newest first, after a position. A page costs the same wherever it is. */
export async function findRecords(
  db: Database,
  filter: RecordFilter,
  options: { readonly after: RowPosition | null; readonly limit: number },
): Promise<RecordRow[]> {
  const conditions = recordConditions(filter, options.after);
  const limit = conditions.place(options.limit);
  const { rows } = await db.query<RecordRow>(
    `select ${RECORD_COLUMNS} from usage_records r ${conditions.sql}
     order by r.created_at desc, r.request_id desc limit ${limit}`,
    conditions.values,
  );
  return rows;
}

/** One record: a look into the primary key of each partition. */
export async function findRecord(db: Database, requestId: string): Promise<RecordRow | undefined> {
  const { rows } = await db.query<RecordRow>(
    `select ${RECORD_COLUMNS} from usage_records r where r.request_id = $1`,
    [requestId],
  );
  return rows[0];
}
