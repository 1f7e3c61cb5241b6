import { Cluster, Redis } from 'ioredis';
import { ReadingConnector } from './reading-connector.ts';

/**
 * ioredis derives a class from String. V8 then keeps String.prototype as a dictionary: every string
 * method call in the thread costs a look-up and none is inlined, until a loop or hot code walks the
 * prototypes of a derived class. This loop does so once.
 */
class DerivedString extends String {}
const derived: object = new DerivedString('');
for (const name in derived) throw new Error(`an empty string has ${name}`);

const REDIS_PORT = 6379;
const CONNECT_TIMEOUT_MS = 5_000;
/** Low, because every millisecond after a restart of Redis is a refused request. */
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
 * Connects to Redis; several addresses separated by commas are the nodes of one cluster. Commands
 * fail at once while the connection is down: a request must not wait in an unbounded queue.
 */
export function connectRedis(url: string): RedisClient {
  const addresses = url.split(',').map((address) => address.trim());
  const [first = ''] = addresses;
  const client =
    addresses.length === 1 ? connectSingle(first) : connectCluster(new URL(first), addresses);
  // Commands report their own failures. Without a listener the first lost connection would end the
  // process.
  client.on('error', () => undefined);
  return client;
}

/**
 * A Redis that has become a replica keeps its connections and refuses writes, while its address may
 * lead to another server already. So the connection is closed. The first write shows whether the
 * new server is a replica; the ledger writes at once.
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
    // A replica accepts connections, which resets the attempt counter: without this, it would be
    // retried at the shortest interval.
    retryStrategy: (attempt) => {
      const delayMs = foundReplica ? RECONNECT_DELAY_MS_MAX : reconnectDelayMs(attempt);
      foundReplica = false;
      return delayMs;
    },
  });
}

/**
 * The first address determines user, password and TLS of all nodes, including those that the
 * cluster reports.
 */
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
    // Connects to a node by its name, for which its certificate is valid; ioredis would use the IP
    // address.
    ...(secure && { dnsLookup: (name, found) => found(null, name) }),
    enableOfflineQueue: false,
    lazyConnect: true,
    scaleReads: 'master',
    clusterRetryStrategy: reconnectDelayMs,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
  });
}

/** After the first, an address may be a bare "host:port". */
function nodeAt(address: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(address.includes('://') ? address : `redis://${address}`);
  return { host: hostname, port: port === '' ? REDIS_PORT : Number(port) };
}
