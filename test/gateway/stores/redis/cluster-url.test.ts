import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Cluster } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectRedis, type RedisClient } from '../../../../gateway/stores/redis/connect.ts';
import { freePort } from '../../../support/machine/free-port.ts';

/** First byte of a TLS connection: a handshake record. */
const TLS_HANDSHAKE = 0x16;

/** Never replies: the first message of a client shows how it has read its address. */
let node: Server;
let heard: Promise<Buffer>;
let port: number;
let client: RedisClient | undefined;

beforeEach(async () => {
  heard = new Promise((resolve) => {
    node = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', resolve);
    });
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  ({ port } = node.address() as AddressInfo);
});

afterEach(() => {
  client?.disconnect();
  node.close();
});

function firstWords(url: string): Promise<Buffer> {
  client = connectRedis(url);
  // Fails when the client disconnects, because no node has replied.
  client.connect().catch(() => undefined);
  return heard;
}

describe('addresses of a cluster', () => {
  it('are logged in to with their user and password', async () => {
    const address = `127.0.0.1:${port}`;
    const words = await firstWords(`redis://weir:p%40ss@${address},redis://weir:p%40ss@${address}`);
    expect(words.toString()).toMatch(/auth\r\n\$4\r\nweir\r\n\$4\r\np@ss\r\n/i);
  });

  it('are logged in to with a password alone', async () => {
    const words = await firstWords(`redis://:secret@127.0.0.1:${port},redis://127.0.0.1:${port}`);
    expect(words.toString()).toMatch(/^\*2\r\n\$4\r\nauth\r\n\$6\r\nsecret\r\n/i);
  });

  it('are spoken to in TLS when they say so', async () => {
    const address = `rediss://weir:secret@localhost:${port}`;
    const words = await firstWords(`${address},${address}`);
    expect(words[0]).toBe(TLS_HANDSHAKE);
    // By its name, for which its certificate is valid.
    const [connection] = client instanceof Cluster ? client.nodes() : [];
    expect(connection?.options.host).toBe('localhost');
  });

  it('may leave out what the first has said', async () => {
    const away = await freePort();
    const words = await firstWords(`rediss://weir:secret@127.0.0.1:${away},127.0.0.1:${port}`);
    expect(words[0]).toBe(TLS_HANDSHAKE);
  });
});
