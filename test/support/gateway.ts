import { MessageChannel } from 'node:worker_threads';
import { loadSnapshot } from '../../gateway/catalog/load-snapshot.ts';
import type { CapturedContent } from '../../gateway/content-log/captured-content.ts';
import { loadConfig } from '../../gateway/platform/config/config.ts';
import { openPool } from '../../gateway/stores/postgres/connect.ts';
import { HttpService } from '../../gateway/data-plane/threads/http-service.ts';
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
  /** Drains the service; resolves with the number of bills that the ledger did not take. */
  close(graceMs?: number): Promise<number>;
}

/**
 * The service of one HTTP thread on a free port, without the main thread's work around it. It runs
 * in the test's thread: one of its own would load and compile all modules again for each test file.
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
  const start: HttpThreadStart = {
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
  const { port1: thread, port2: main } = new MessageChannel();
  thread.on('message', (message: FromHttpThread) => {
    if (message.kind === 'content') options.onContent?.(message.content);
  });
  const ended = new Promise<void>((resolve) => thread.once('close', resolve));
  const next: TestGateway['next'] = (kind) =>
    new Promise((resolve) => {
      const look = (message: FromHttpThread): void => {
        if (message.kind !== kind) return;
        thread.off('message', look);
        resolve(message as Extract<FromHttpThread, { kind: typeof kind }>);
      };
      thread.on('message', look);
    });
  const ready = next('ready');
  const drained = next('drained');
  await HttpService.open(structuredClone(start), main);
  const { port } = await ready;
  const send = (message: ToHttpThread): void => thread.postMessage(message);
  return {
    url: `http://127.0.0.1:${port}`,
    send,
    next,
    republish: async () => send({ kind: 'catalog', snapshot: await load() }),
    close: async (graceMs = 1_000) => {
      send({ kind: 'drain', graceMs, delayMs: 0 });
      const { givenUp } = await drained;
      await ended;
      await pool.end();
      return givenUp;
    },
  };
}
