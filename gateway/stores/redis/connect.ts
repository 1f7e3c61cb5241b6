import { Cluster, Redis } from 'ioredis';
import { ReadingConnector } from './reading-connector.ts';

/**
 * ioredis derives a class from String. V8 then keeps String.prototype as a dictionary, in which every call of a
 * string's method anywhere in the thread costs a look-up and none is inlined, until some loop or hot code goes
 * through the prototypes of a derived class: this loop does.
 */
class DerivedString extends String {}
const derived: object = new DerivedString('');
for (const name in derived) throw new Error(`an empty string has ${name}`);

const REDIS_PORT = 6379;
const CONNECT_TIMEOUT_MS = 5_000;
/** A short ceiling: while Redis restarts, every further millisecond is a request refused. */
const RECONNECT_DELAY_MS_MAX = 500;

const reconnectDelayMs = (attempt: number): number =>
  Math.min(attempt * 20, RECONNECT_DELAY_MS_MAX);

export type RedisClient = Redis | Cluster;

const SHARED = {
  Connector: ReadingConnector,
  connectTimeout: CONNECT_TIMEOUT_MS,
  enableReadyCheck: true,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  keepAlive: 10_000,
  noDelay: true,
};

/**
 * Connects to Redis; several addresses separated by commas are the nodes of one cluster.
 * Commands fail at once while the connection is down: a request must not wait in a queue without bound.
 */
export function connectRedis(url: string): RedisClient {
  const addresses = url.split(',').map((address) => address.trim());
  const [first = ''] = addresses;
  const client =
    addresses.length === 1 ? connectSingle(first) : connectCluster(new URL(first), addresses);
  // Commands report their own failures; without a listener the first lost connection would end the process.
  client.on('error', () => undefined);
  return client;
}

/**
 * A Redis that has become a replica refuses every write and keeps its connections; its address may lead to another one by now. So
 * the connection is closed, and what answers there next is told from a replica by its first write: the ledger makes one at once.
 */
function connectSingle(url: string): Redis {
  let foundReplica = false;
  return new Redis(url, {
    ...SHARED,
    enableOfflineQueue: false,
    lazyConnect: true,
    reconnectOnError: ({ message }) => {
      const isReplica = message.startsWith('READONLY');
      foundReplica ||= isReplica;
      return isReplica;
    },
    // A replica lets everybody connect, which counts as success: the attempts begin with the shortest wait each time.
    retryStrategy: (attempt) => {
      const delayMs = foundReplica ? RECONNECT_DELAY_MS_MAX : reconnectDelayMs(attempt);
      foundReplica = false;
      return delayMs;
    },
  });
}

/** The first address says for all nodes, also those that the cluster tells of, who logs in and whether in TLS. */
function connectCluster(
  { protocol, username, password }: URL,
  addresses: readonly string[],
): Cluster {
  const secure = protocol === 'rediss:';
  return new Cluster(addresses.map(nodeAt), {
    redisOptions: {
      ...SHARED,
      username: decodeURIComponent(username),
      password: decodeURIComponent(password),
      ...(secure && { tls: {} }),
    },
    // A node is reached by its name, for which its certificate is made: ioredis would look up the number instead.
    ...(secure && { dnsLookup: (name, found) => found(null, name) }),
    enableOfflineQueue: false,
    lazyConnect: true,
    scaleReads: 'master',
    clusterRetryStrategy: reconnectDelayMs,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
  });
}

/** An address may be a bare "host:port" where another stands before it. */
function nodeAt(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(address.includes('://') ? address : `redis://${address}`);
  return { host: hostname, port: port === '' ? REDIS_PORT : Number(port) };
}
