import { connect as connectNet, type NetConnectOpts, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';

/** Maximum bytes per read, the same as Node's streams. */
const READ_BYTES_MAX = 64 * 1024;

/** Read buffer of all connections of a thread: data is copied out before the next read. */
const shared = Buffer.allocUnsafeSlow(READ_BYTES_MAX);

/**
 * Connects ioredis by sockets that bypass Node's readable streams, like those to upstreams
 * (upstream/reading-connector.ts). A ledger reply has some hundred bytes, for which a stream
 * allocates 64 KiB each time. ioredis receives the usual 'data' events.
 */
export class ReadingConnector extends AbstractConnector {
  readonly #options: RedisOptions;

  /** @param options those of the client, with ioredis' defaults for the rest */
  constructor(options: unknown) {
    const given = options as RedisOptions & { readonly disconnectTimeout: number };
    super(given.disconnectTimeout);
    this.#options = given;
  }

  override async connect(): Promise<Socket> {
    this.connecting = true;
    // As in ioredis' own connector: the caller may withdraw the connection in the same tick.
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
    if (this.#isGivenUp()) throw new Error('Connection is closed.');
    const stream = this.#open();
    this.stream = stream;
    stream.once('error', (error: Error) => {
      this.firstError = error;
    });
    return stream;
  }

  #isGivenUp(): boolean {
    return !this.connecting;
  }

  #open(): Socket {
    const { path, host, port, family, tls } = this.#options;
    const onread: OnReadOpts = {
      buffer: shared,
      callback: (length) => {
        const bytes = Buffer.allocUnsafe(length);
        bytes.set(shared.subarray(0, length));
        socket.emit('data', bytes);
        return true;
      },
    };
    const to = { ...(path === undefined ? { host, port, family } : { path }), onread };
    const socket: Socket =
      tls === undefined ? connectNet(to as NetConnectOpts) : connectTls(Object.assign(to, tls));
    return socket;
  }
}
