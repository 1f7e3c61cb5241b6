import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/machine/free-port.ts';
import { makeTemporaryFolder, serverProcess } from '../../test/support/machine/server-process.ts';
import type { Ground } from '../ground/ground.ts';
import { ALLOCATOR, LOCAL, type Target } from './target.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_TIMEOUT_MS = 1_000;
/**
 * Log lines are written as in production; the file is emptied between measurements once it is this
 * large.
 */
const LOG_BYTES_MAX = 64 * 1024 * 1024;

/** The flags with which `npm start` and the image start Node. */
const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

/** Environment variables beyond those every gateway of the bench gets. */
export type Variation = Readonly<Record<string, string>>;

export interface WeirOptions {
  readonly ground: Ground;
  readonly variation: Variation;
  /** Flags of Node itself, for profiles. */
  readonly nodeFlags?: readonly string[];
  /** Root of another checkout, to measure a change against what was before it. */
  readonly base?: string;
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://${LOCAL}:${port}/ready`, {
      signal: AbortSignal.timeout(READY_TIMEOUT_MS),
    });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Starts the gateway as `npm start` and the image do. */
export async function startWeir(options: WeirOptions): Promise<Target> {
  const { ground, variation, nodeFlags = [], base } = options;
  const folder = makeTemporaryFolder('bench-gateway');
  const port = await freePort();
  const server = serverProcess({
    command: process.execPath,
    args: [...NODE_FLAGS, ...nodeFlags, join(base ?? ROOT, 'gateway', 'main.ts')],
    folder,
    env: {
      ...ALLOCATOR,
      DATABASE_URL: ground.databaseUrl,
      REDIS_URL: ground.redisUrl,
      SECRET_KEY: ground.secretKey,
      PORT: String(port),
      ADMIN_PORT: String(await freePort()),
      BOOTSTRAP_ADMIN_EMAIL: 'bench@example.org',
      ...variation,
    },
    isReady: () => isReady(port),
    signals: { stop: 'SIGTERM', abandon: 'KILL' },
  });
  await server.start();
  const logPath = join(folder, 'server.log');
  return {
    name: base === undefined ? 'weir' : 'base',
    destination: { host: LOCAL, port },
    pid: server.pid() ?? 0,
    headers: {},
    ground,
    tidy: () => {
      if (statSync(logPath).size > LOG_BYTES_MAX) truncateSync(logPath);
    },
    stop: server.stop,
    kill: server.kill,
  };
}
