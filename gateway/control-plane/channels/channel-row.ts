import type { ChannelNameList } from '@weir/shared/catalog/channel-lists';
import type { ChannelListQuery } from '@weir/shared/catalog/channel-lists';
import type {
  ChannelModel,
  ChannelSetting,
  ChannelView,
  CredentialView,
} from '@weir/shared/catalog/channels';
import { SETTINGS_SQL } from '../../catalog/channel-columns.ts';
import { FIGURE, figureJoin } from '../activity/activity-sort.ts';
import type { ChannelStatus } from '../admin-deps.ts';
import { Conditions } from '../api/lists/conditions.ts';
import { likePattern } from '../api/lists/like-pattern.ts';
import { type Database, lockRow } from '../api/transaction.ts';
import { channelHealth, type TestRow } from './channel-health.ts';

interface CredentialRow {
  readonly id: string;
  readonly hint: string;
  readonly status: CredentialView['status'];
  readonly createdAt: string | Date;
}

export interface ChannelRow extends Pick<ChannelView, ChannelSetting> {
  readonly id: string;
  readonly models: ChannelModel[];
  readonly groupIds: string[];
  readonly credentials: CredentialRow[];
  readonly lastTest: TestRow | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `
    c.id, ${SETTINGS_SQL},
    c.created_at as "createdAt", c.updated_at as "updatedAt",
    coalesce((select jsonb_agg(jsonb_build_object('modelId', cm.model_id, 'upstreamName', cm.upstream_name,
                               'profile', cm.profile)
                               order by cm.model_id)
              from channel_models cm where cm.channel_id = c.id), '[]') as models,
    array(select cg.group_id::text from channel_groups cg where cg.channel_id = c.id order by cg.group_id) as "groupIds",
    coalesce((select jsonb_agg(jsonb_build_object('id', cc.id, 'hint', cc.hint, 'status', cc.status,
                               'createdAt', cc.created_at) order by cc.created_at, cc.id)
              from channel_credentials cc where cc.channel_id = c.id), '[]') as credentials,
    (select jsonb_build_object('id', t.id, 'ok', t.ok, 'upstreamName', t.upstream_name, 'latencyMs', t.latency_ms,
       'httpStatus', t.http_status, 'reply', t.reply, 'error', t.error, 'createdAt', t.created_at)
     from channel_tests t where t.channel_id = c.id order by t.created_at desc limit 1) as "lastTest"`;

const SELECT = `select ${COLUMNS} from channels c`;

export async function readChannels(db: Database): Promise<ChannelRow[]> {
  return (await db.query<ChannelRow>(`${SELECT} order by c.priority desc, c.name`)).rows;
}

/** The sorts that PostgreSQL knows; health is known to the processes alone. */
const ORDERS: Readonly<Record<string, string>> = {
  name: 'lower(c.name)',
  priority: 'c.priority',
  created: 'c.created_at',
  requests: FIGURE,
  errors: FIGURE,
  firstByte: FIGURE,
  spend: FIGURE,
};

/** The channels that a search finds, in its order. */
export async function listChannelRows(
  db: Database,
  query: ChannelListQuery,
): Promise<ChannelRow[]> {
  const { sort = '-priority' } = query;
  const conditions = new Conditions();
  conditions.equal('c.status', query.status);
  const pattern = likePattern(query.search);
  if (pattern !== null) {
    const like = conditions.place(pattern);
    conditions.add(`(c.name ilike ${like} or c.base_url ilike ${like} or exists (
      select from channel_models cm join models m on m.id = cm.model_id
      where cm.channel_id = c.id and m.public_id ilike ${like}))`);
  }
  const figures = figureJoin(conditions, { kind: 'channel', sort, of: 'c.id' });
  const order = ORDERS[sort.replace('-', '')];
  const first = order === undefined ? '' : `${order} ${sort.startsWith('-') ? 'desc' : 'asc'},`;
  const text = `select ${COLUMNS} from channels c ${figures} ${conditions.sql}
    order by ${first} c.priority desc, c.name`;
  return (await db.query<ChannelRow>(text, conditions.values)).rows;
}

/** In the order of the list. */
export async function readChannelNames(db: Database): Promise<ChannelNameList['data']> {
  const { rows } = await db.query<ChannelNameList['data'][number]>(
    'select id::text, name from channels order by priority desc, name',
  );
  return rows;
}

export async function findChannel(
  db: Database,
  channelId: string,
  options: { readonly lock: boolean } = { lock: false },
): Promise<ChannelRow | undefined> {
  if (options.lock) await lockRow(db, 'channels', channelId);
  return (await db.query<ChannelRow>(`${SELECT} where c.id = $1`, [channelId])).rows[0];
}

function credentialView(row: CredentialRow): CredentialView {
  const { id, hint, status, createdAt } = row;
  return { id, hint, status, createdAt: new Date(createdAt).toISOString() };
}

export function channelView(row: ChannelRow, statuses: readonly ChannelStatus[]): ChannelView {
  const { lastTest, credentials, createdAt, updatedAt, ...settings } = row;
  return {
    ...settings,
    credentials: credentials.map(credentialView),
    health: channelHealth(row.id, statuses, lastTest),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
