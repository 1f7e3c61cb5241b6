import { randomBytes } from 'node:crypto';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReadingConnector } from '../../../../gateway/stores/redis/reading-connector.ts';
import { PSK_CLIENT, PSK_SERVER } from '../../../support/stores/psk-tls.ts';
import { startRedis, type RedisServer } from '../../../support/stores/redis.ts';

/** Around the size of a read (64 KiB), and several times that. */
const SIZES = [0, 1, 100, 16_384, 65_535, 65_536, 65_537, 200_000, 1_000_000];
const ROUNDS = 20;

let server: RedisServer;
/** A TLS server in front of Redis, like a hosted one. */
let secure: Server;
const sockets = new Set<Socket>();

beforeAll(async () => {
  server = await startRedis();
  secure = createTlsServer(PSK_SERVER, (client) => {
    const store = connect(server.port, '127.0.0.1');
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        store.destroy();
      });
    }
    client.pipe(store).pipe(client);
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  secure.close();
  await server.stop();
});

const clients = {
  plain: () => ({ port: server.port }),
  TLS: () => ({
    port: (secure.address() as AddressInfo).port,
    tls: PSK_CLIENT,
  }),
};

it.each(['plain', 'TLS'] as const)(
  'reads what Redis answers as it is, many answers at once and long ones in pieces: %s',
  async (kind) => {
    // One after the other in the same thread: they share the read buffer.
    const [client, other] = [0, 1].map(
      () => new Redis({ ...clients[kind](), Connector: ReadingConnector, lazyConnect: true }),
    );
    if (client === undefined || other === undefined) throw new Error('no client');
    const values = SIZES.map((size) => randomBytes(size));
    await Promise.all(values.map((value, index) => client.set(`${kind} ${index}`, value)));
    const asked = Array.from({ length: ROUNDS * SIZES.length }, (_, at) => (at * 7) % SIZES.length);
    const found = await Promise.all(
      asked.map((index, at) => (at % 2 === 0 ? client : other).getBuffer(`${kind} ${index}`)),
    );
    for (const [at, index] of asked.entries()) {
      expect(found[at]?.equals(values[index] ?? Buffer.alloc(0))).toBe(true);
    }
    client.disconnect();
    other.disconnect();
  },
);

it('tells of a connection in TLS that breaks, and makes another', async () => {
  const client = new Redis({
    ...clients.TLS(),
    Connector: ReadingConnector,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: () => 10,
  });
  client.on('error', () => undefined);
  await client.connect();
  server.pause();
  const unanswered = client.get('key');
  unanswered.catch(() => undefined);
  await expect.poll(() => client.status).toBe('ready');
  for (const socket of sockets) socket.destroy();
  await expect(unanswered).rejects.toThrow();
  server.resume();
  await expect.poll(() => client.ping().catch(() => '')).toBe('PONG');
  client.disconnect();
});
