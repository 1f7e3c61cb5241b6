import { Cluster, Redis } from 'ioredis';

/**
 * ioredis derives a class from String. V8 then keeps String.prototype as a dictionary, in which every call of a
 * string's method anywhere in the thread costs a look-up and none is inlined, until some loop or hot code goes
 * through the prototypes of a derived class: this loop does.
 */
class DerivedString extends String {}
const derived: object = new DerivedString('');
for (const name in derived) throw new Error(`an empty string has ${name}`);

const CONNECT_TIMEOUT_MS = 5_000;
/** A short ceiling: while Redis restarts, every further millisecond is a request refused. */
const RECONNECT_DELAY_MS_MAX = 500;

const reconnectDelayMs = (attempt: number): number =>
  Math.min(attempt * 20, RECONNECT_DELAY_MS_MAX);

export type RedisClient = Redis | Cluster;

/**
 * Connects to Redis; several addresses separated by commas are the nodes of one cluster.
 * Commands fail at once while the connection is down: a request must not wait in a queue without bound.
 */
export function connectRedis(url: string): RedisClient {
  const addresses = url.split(',').map((address) => address.trim());
  const [first = ''] = addresses;
  const shared = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    enableReadyCheck: true,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    keepAlive: 10_000,
    noDelay: true,
  };
  const client =
    addresses.length === 1
      ? new Redis(first, {
          ...shared,
          enableOfflineQueue: false,
          lazyConnect: true,
          retryStrategy: reconnectDelayMs,
        })
      : new Cluster(
          addresses.map((address) => ({
            host: new URL(address).hostname,
            port: Number(new URL(address).port === '' ? 6379 : new URL(address).port),
          })),
          {
            redisOptions: { ...shared, password: decodeURIComponent(new URL(first).password) },
            enableOfflineQueue: false,
            lazyConnect: true,
            scaleReads: 'master',
            clusterRetryStrategy: reconnectDelayMs,
            slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
          },
        );
  // Commands report their own failures; without a listener the first lost connection would end the process.
  client.on('error', () => undefined);
  return client;
}
