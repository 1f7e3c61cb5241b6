import { Worker } from 'node:worker_threads';
import { loadSnapshot } from '../../gateway/catalog/load-snapshot.ts';
import type { CapturedContent } from '../../gateway/content-log/captured-content.ts';
import { loadConfig } from '../../gateway/platform/config/config.ts';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import type {
  FromHttpThread,
  HttpThreadStart,
  ToHttpThread,
} from '../../gateway/data-plane/threads/messages.ts';
import { TEST_SECRET_KEY, TEST_SECRETS } from './seed.ts';

export interface TestGateway {
  /** http://127.0.0.1:port, without /v1. */
  readonly url: string;
  send(message: ToHttpThread): void;
  /** Loads the catalog again and publishes it, as the main thread does on a change. */
  republish(): Promise<void>;
  /** Resolves with the next message of a kind. */
  next<K extends FromHttpThread['kind']>(kind: K): Promise<Extract<FromHttpThread, { kind: K }>>;
  /** Drains the thread; resolves with its exit code. */
  close(graceMs?: number): Promise<number>;
}

/**
 * One HTTP thread on a free port, without the main thread's work around it: the request path alone.
 */
export async function startGateway(options: {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly env?: Readonly<Record<string, string>>;
  readonly onContent?: (content: CapturedContent) => void;
}): Promise<TestGateway> {
  const config = loadConfig({
    LOG_LEVEL: 'warn',
    // No machine must be too slow for a hold.
    LEDGER_TIMEOUT_MS: '50000',
    DATABASE_URL: options.databaseUrl,
    SECRET_KEY: TEST_SECRET_KEY,
    ...options.env,
  });
  const pool = openPool(options.databaseUrl, { connectionsMax: 2, applicationName: 'test' });
  let version = 1;
  const load = async () =>
    (
      await loadSnapshot(pool, {
        version: version++,
        secrets: TEST_SECRETS,
        onUnreadable: (channel) => {
          throw new Error(`the credential of ${channel} cannot be read`);
        },
      })
    ).snapshot;
  const workerData: HttpThreadStart = {
    index: 0,
    config,
    databaseUrl: options.databaseUrl,
    redisUrl: options.redisUrl,
    secretKey: TEST_SECRET_KEY,
    port: 0,
    workerThreads: 1,
    catalog: await load(),
    minted: [],
  };
  const worker = new Worker(
    new URL('../../gateway/data-plane/threads/http-thread.ts', import.meta.url),
    { workerData },
  );
  worker.on('message', (message: FromHttpThread) => {
    if (message.kind === 'content') options.onContent?.(message.content);
  });
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  const next: TestGateway['next'] = (kind) =>
    new Promise((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (message: FromHttpThread) => {
        if (message.kind === kind)
          resolve(message as Extract<FromHttpThread, { kind: typeof kind }>);
      });
    });
  const { port } = await next('ready');
  const send = (message: ToHttpThread): void => worker.postMessage(message);
  return {
    url: `http://127.0.0.1:${port}`,
    send,
    next,
    republish: async () => send({ kind: 'catalog', snapshot: await load() }),
    close: async (graceMs = 1_000) => {
      send({ kind: 'drain', graceMs, delayMs: 0 });
      const code = await exited;
      await pool.end();
      return code;
    },
  };
}
