import { connect as connectNet, type NetConnectOpts, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector, type RedisOptions } from 'ioredis';

/** What one read takes at most; as much as with Node's own streams. */
const READ_BYTES_MAX = 64 * 1024;

/** All connections of a thread read into it: what has come is copied out before the next reads. */
const shared = Buffer.allocUnsafeSlow(READ_BYTES_MAX);

/**
 * Connects ioredis by sockets that read past Node's readable streams, as those to upstreams do (upstream/reading-connector.ts): an answer
 * of the ledger is some hundred bytes, for which a stream takes 64 KiB from the allocator each time. ioredis hears of what has come as
 * it expects to, by 'data'.
 */
export class ReadingConnector extends AbstractConnector {
  readonly #options: RedisOptions;

  /** @param options those of the client, with ioredis' own in place of what was not given */
  constructor(options: unknown) {
    const given = options as RedisOptions & { readonly disconnectTimeout: number };
    super(given.disconnectTimeout);
    this.#options = given;
  }

  override async connect(): Promise<Socket> {
    this.connecting = true;
    // As ioredis' own does: whoever asks for a connection may take that back in the same turn.
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
