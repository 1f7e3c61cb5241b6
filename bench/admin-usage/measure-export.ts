import { get, type IncomingMessage } from 'node:http';
import { startOwnServer } from '../processes/own-process.ts';
import { ownResidentBytes } from '../processes/process-tree.ts';

const MIB = 1_048_576;
/** The most that an export may add to the server's resident memory, however long it is. */
const GROWTH_MIB_MAX = 64;
const EXPORTS_IN_A_ROW = 3;
const SLOW_BYTES_PER_SECOND = MIB;
const SLOW_SECONDS = 20;
const LOOK_EVERY_MS = 20;
const LINE_FEED = 10;

/** The export to be measured. */
interface Exported {
  readonly port: number;
  readonly token: string;
  /** Number of the account's records. */
  readonly rows: number;
}

interface Taken {
  readonly rows: number;
  readonly bytes: number;
}

function ask({ port, token }: Exported): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/api/v1/usage-exports', headers }, (answer) => {
      if (answer.statusCode === 200) {
        resolve(answer);
        return;
      }
      // A refusal is short and adds no memory: its bar would be met.
      answer.destroy();
      reject(new Error(`The export answers ${String(answer.statusCode)}.`));
    }).on('error', reject);
  });
}

/** Takes the whole file. Breaks off when its end does not come, or when it is not all. */
export async function takeAll(exported: Exported): Promise<Taken> {
  let bytes = 0;
  let rows = -1;
  for await (const chunk of await ask(exported)) {
    const piece = chunk as Buffer;
    bytes += piece.length;
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1))
      rows += 1;
  }
  if (rows === exported.rows) return { rows, bytes };
  throw new Error(`The export has ${String(rows)} rows instead of ${String(exported.rows)}.`);
}

/** Takes so many bytes a second for a while, and leaves in the middle of the file. */
async function takeSlowly(exported: Exported): Promise<Taken> {
  const answer = await ask(exported);
  const startedMs = performance.now();
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += (chunk as Buffer).length;
    const dueMs = startedMs + (bytes / SLOW_BYTES_PER_SECOND) * 1000;
    await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
    if (performance.now() - startedMs > SLOW_SECONDS * 1000) break;
  }
  return { rows: NaN, bytes };
}

async function watch(name: string, pid: number, take: () => Promise<Taken>): Promise<void> {
  const startedMs = performance.now();
  const before = ownResidentBytes(pid) / MIB;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, ownResidentBytes(pid) / MIB);
  }, LOOK_EVERY_MS);
  const { rows, bytes } = await take().finally(() => {
    clearInterval(timer);
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const grown = most - before;
  const what = Number.isNaN(rows) ? '' : `${String(rows)} rows, `;
  console.log(
    `${name}: ${what}${(bytes / MIB).toFixed(0)} MiB in ${seconds.toFixed(0)} s; ` +
      `resident memory ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)} MiB: ${grown.toFixed(0)} MiB more, ` +
      `bar ${String(GROWTH_MIB_MAX)} MiB ${grown <= GROWTH_MIB_MAX ? 'met' : 'NOT MET'}`,
  );
}

/**
 * Measures what an export adds to the server's memory: of the one that has answered everything
 * else, and of new ones, where it is the first thing they do; for readers as quick as they can be,
 * and a slow one that leaves.
 */
export async function measureExports(options: {
  readonly databaseUrl: string;
  readonly token: string;
  readonly rows: number;
  readonly warm: { readonly pid: number; readonly port: number };
}): Promise<void> {
  const { databaseUrl, token, rows, warm } = options;
  console.log('\nThe export of one account');
  await watch('of a server that has worked', warm.pid, () =>
    takeAll({ port: warm.port, token, rows }),
  );
  const fresh = await startOwnServer('admin-usage/server-process.ts', [databaseUrl]);
  for (let turn = 1; turn <= EXPORTS_IN_A_ROW; turn += 1) {
    const name = `of a new server, ${String(turn)} of ${String(EXPORTS_IN_A_ROW)}`;
    await watch(name, fresh.pid, () => takeAll({ port: fresh.port, token, rows }));
  }
  await fresh.stop();
  const another = await startOwnServer('admin-usage/server-process.ts', [databaseUrl]);
  await watch('to a reader of 1 MiB/s, of a new server', another.pid, () =>
    takeSlowly({ port: another.port, token, rows }),
  );
  await another.stop();
}
