import { createConnection } from 'node:net';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRedisServer } from '../machine/executables.ts';
import { freePort } from '../machine/free-port.ts';
import {
  makeTemporaryFolder,
  serverProcess,
  type ServerProcess,
} from '../machine/server-process.ts';

const PING_TIMEOUT_MS = 1_000;
const CLUSTER_NODES = 3;
const CLUSTER_SLOTS = 16_384;
const CLUSTER_TIMEOUT_MS = 20_000;

export interface RedisServerOptions {
  /** Keep an append-only file, so that data survives stop and kill; off by default. */
  readonly appendonly?: boolean;
  /** `everysec` is what Weir asks of production; `always` makes kill tests exact. */
  readonly appendfsync?: 'always' | 'everysec' | 'no';
  /** Weir demands `noeviction`, the default here too. */
  readonly maxmemoryPolicy?: string;
  readonly password?: string;
  /** Variables added to this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further settings as they stand in redis.conf: `{ maxmemory: '10mb' }`. */
  readonly config?: Readonly<Record<string, string>>;
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Ends it in good order (SIGTERM); an append-only file is kept until this process ends. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after stopping it if it still runs. */
  restart(): Promise<void>;
  /** The server hangs: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
}

export interface RedisCluster {
  /** The nodes' addresses separated by commas, as `connectRedis` reads them. */
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  stop(): Promise<void>;
}

/** One PING on a bare socket; false also while Redis loads its data. */
function answersPing(port: number, password: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PING_TIMEOUT_MS, () => {
      finish(false);
    });
    socket.once('error', () => {
      finish(false);
    });
    let reply = '';
    socket.on('data', (bytes) => {
      reply += bytes.toString('latin1');
      if (reply.includes('+PONG\r\n')) finish(true);
      else if (reply.includes('-')) finish(false);
    });
    const authenticate = password === undefined ? '' : `AUTH ${password}\r\n`;
    socket.write(`${authenticate}PING\r\n`);
  });
}

function asRedisServer(
  server: ServerProcess,
  port: number,
  password: string | undefined,
): RedisServer {
  const credential = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
  return {
    url: `redis://${credential}127.0.0.1:${String(port)}`,
    port,
    stop: server.stop,
    kill: server.kill,
    restart: server.restart,
    pause: () => {
      server.signal('SIGSTOP');
    },
    resume: () => {
      server.signal('SIGCONT');
    },
  };
}

/** Starts a redis-server of its own on 127.0.0.1; it and its data go when this process ends. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const command = findRedisServer();
  if (command === undefined) throw new Error('Redis 7 or later is not installed.');
  const folder = makeTemporaryFolder('redis');
  const port = await freePort();
  const configuration: Record<string, string> = {
    bind: '127.0.0.1',
    port: String(port),
    dir: folder,
    save: '',
    appendonly: options.appendonly === true ? 'yes' : 'no',
    appendfsync: options.appendfsync ?? 'everysec',
    'maxmemory-policy': options.maxmemoryPolicy ?? 'noeviction',
    ...(options.password === undefined ? {} : { requirepass: options.password }),
    ...options.config,
  };
  const server = serverProcess({
    command,
    args: Object.entries(configuration).flatMap(([name, value]) => [
      `--${name}`,
      ...value.split(' '),
    ]),
    folder,
    ...(options.env === undefined ? {} : { env: options.env }),
    isReady: () => answersPing(port, options.password),
    signals: { stop: 'SIGTERM', abandon: 'KILL' },
  });
  await server.start();
  return asRedisServer(server, port, options.password);
}

async function joinCluster(nodes: readonly RedisServer[]): Promise<void> {
  const clients = nodes.map((node) => new Redis(node.url, { maxRetriesPerRequest: 1 }));
  try {
    const share = Math.ceil(CLUSTER_SLOTS / clients.length);
    for (const [index, client] of clients.entries()) {
      const last = Math.min((index + 1) * share, CLUSTER_SLOTS) - 1;
      await client.call('CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last));
      // Without distinct epochs the first elections collide and the cluster takes seconds to agree.
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
    }
    const buses = await Promise.all(
      clients.map((client) => client.call('CONFIG', 'GET', 'cluster-port')),
    );
    for (const [index, node] of nodes.entries()) {
      const bus = (buses[index] as string[])[1] ?? '0';
      await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', String(node.port), bus);
    }
    await untilClusterAgrees(clients);
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function untilClusterAgrees(clients: readonly Redis[]): Promise<void> {
  const deadline = Date.now() + CLUSTER_TIMEOUT_MS;
  for (;;) {
    const reports = await Promise.all(clients.map((client) => client.call('CLUSTER', 'INFO')));
    const agreed = reports.every(
      (report) =>
        String(report).includes('cluster_state:ok') &&
        String(report).includes(`cluster_known_nodes:${String(clients.length)}`),
    );
    if (agreed) return;
    if (Date.now() > deadline) throw new Error('The Redis cluster did not form in time.');
    await sleep(50);
  }
}

/** Starts a Redis Cluster of three masters without replicas. Needs Redis 7. */
export async function startRedisCluster(options: RedisServerOptions = {}): Promise<RedisCluster> {
  const nodes = await Promise.all(
    Array.from({ length: CLUSTER_NODES }, async () =>
      startRedis({
        ...options,
        config: {
          'cluster-enabled': 'yes',
          'cluster-port': String(await freePort()),
          'cluster-node-timeout': '2000',
          ...options.config,
        },
      }),
    ),
  );
  await joinCluster(nodes);
  return {
    url: nodes.map((node) => node.url).join(','),
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}
