import { refuse } from '../../platform/errors/refusal.ts';
import type { Answer, Call } from '../api/call.ts';
import { given, setClause } from '../api/lists/column-list.ts';
import { dividePlan, linesOf, runBulkChange } from '../bulk-changes/run-bulk-change.ts';

const LOCK = 'select 1 from channels where id = any ($1) order by id for update';
const READ = `
  select id, name, status, priority, weight from channels where id = any ($1) order by id`;

interface ChannelRow {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'disabled';
  readonly priority: number;
  readonly weight: number;
}

const CHANGED = ['status', 'priority', 'weight'] as const;

/** Changes status, priority or weight of channels, several of them at once if they are sent. */
export async function changeChannelsInBulk(
  call: Call<'changeChannelsInBulk'>,
): Answer<'changeChannelsInBulk'> {
  const { body } = call;
  const names = CHANGED.filter((name) => body[name] !== undefined);
  if (names.length === 0) {
    return refuse('invalid_value', 'Send a status, a priority or a weight.', { param: 'status' });
  }
  const change = Object.fromEntries(names.map((name) => [name, body[name]]));
  return runBulkChange(call, {
    kind: 'channel',
    body,
    matching: { from: 'channels', id: 'id', filter: () => undefined },
    lock: LOCK,
    read: async (db, ids) => (await db.query<ChannelRow>(READ, [ids])).rows,
    plan: (_db, rows) => {
      const { changing, notChanged } = dividePlan(rows, (row) =>
        names.every((name) => row[name] === body[name]) ? 'unchanged' : undefined,
      );
      const { sql, values } = setClause(given(names.map((name) => [name, body[name]])), 2);
      const ids = changing.map(({ id }) => id);
      return {
        lines: linesOf(changing, (row) => ({
          before: Object.fromEntries(names.map((name) => [name, row[name]])),
          after: change,
        })),
        notChanged,
        write: (db) => db.query(`update channels set ${sql} where id = any ($1)`, [ids, ...values]),
      };
    },
    change,
  });
}
