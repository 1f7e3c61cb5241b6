import type pg from 'pg';
import { startDemoUpstream, type DemoUpstream } from '../demo/demo-upstream.ts';

export const DEMO_CHANNEL = {
  name: 'demo',
  /** Until a process that runs the demo upstream has started; port 9 is "discard". */
  nowhereUrl: 'http://127.0.0.1:9/v1',
} as const;

const WANTED = `select exists (select from channels where kind = 'demo') as wanted`;
const POINT = `update channels set base_url = $1, updated_at = now() where kind = 'demo'`;

/**
 * Starts the demo upstream and points the demo channel at it: its port is another one at each
 * start. Also for a channel that is disabled, which may be enabled while the process runs. Null
 * when there is no channel of that kind.
 */
export async function openDemoChannel(pool: pg.Pool): Promise<DemoUpstream | null> {
  const { rows } = await pool.query<{ wanted: boolean }>(WANTED);
  if (rows[0]?.wanted !== true) return null;
  const upstream = await startDemoUpstream({ host: '127.0.0.1', port: 0 });
  await pool.query(POINT, [upstream.url]);
  return upstream;
}
