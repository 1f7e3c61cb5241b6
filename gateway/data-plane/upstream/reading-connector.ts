import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buildConnector } from 'undici';

/**
 * Connects undici to upstreams by sockets that share one buffer to read into (the `onread` option
 * of `net` and `tls`), past Node's readable streams. Those take 64 KiB from the allocator for each
 * read, cut them down, hand them over by way of a queue, and leave them to the collector: a fifth
 * of what a chunk of a stream cost. undici finds the socket that it knows: it waits for 'readable',
 * calls `read()` until that answers null, and gives back with `unshift()` what it may not take
 * because it is paused.
 */

/** The largest read; the same as that of Node's own streams. */
const READ_BYTES_MAX = 64 * 1024;

/** The bytes of one socket that undici has not taken yet. */
class Inbox {
  /** Reads are used at once, and need not be copied for undici. */
  lends = false;
  #waiting: Buffer | null = null;
  /**
   * Nothing is read from the kernel, so that TCP slows the upstream down; true until undici first
   * asks.
   */
  #stopped = true;
  #socket: Socket | undefined;

  /** The socket's `onread` callback: false stops reading. */
  readonly take = (length: number, shared: Uint8Array): boolean => {
    // undici keeps slices: of a head that comes in pieces, and of a body for a reader that reads it
    // later.
    const { lends } = this;
    const read = Buffer.from(shared.buffer, shared.byteOffset, length);
    const bytes = lends ? read : copyOf(read);
    this.#waiting = this.#waiting === null ? bytes : Buffer.concat([this.#waiting, bytes]);
    this.#socket?.emit('readable');
    if (lends) this.#keepRest();
    this.#stopped = this.#hasBytes();
    return !this.#stopped;
  };

  /** The memory is used for the next read. */
  #keepRest(): void {
    if (this.#waiting !== null) this.#waiting = copyOf(this.#waiting);
  }

  /** After 'readable': undici is paused, or does not listen yet. */
  #hasBytes(): boolean {
    return this.#waiting !== null;
  }

  /**
   * Puts itself in the place of the socket's readable stream, which from here on only serves to end
   * it.
   */
  serve(socket: Socket): void {
    const readStream = socket.read.bind(socket);
    this.#socket = socket;
    socket.read = (size) => {
      const bytes = this.#waiting;
      // With a size of 0 Node's own code starts reading, or ends the stream when the upstream has
      // closed.
      if (size !== 0 && bytes !== null) {
        this.#waiting = null;
        return bytes;
      }
      if (size === 0 || this.#stopped) {
        this.#stopped = false;
        readStream(0);
      }
      return null;
    };
    socket.unshift = (bytes: Buffer) => {
      if (bytes.length > 0) this.#waiting = bytes;
    };
  }
}

function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length);
  copy.set(bytes);
  return copy;
}

const inboxes = new WeakMap<Duplex, Inbox>();

/**
 * Says whether a reader uses each chunk before it returns: then none is copied. Megabytes that are
 * allocated and dropped would make V8 collect its whole heap again and again.
 */
export function lendReads(socket: Duplex, lends: boolean): void {
  const inbox = inboxes.get(socket);
  if (inbox !== undefined) inbox.lends = lends;
}

/** Builds a connector with the same options as undici's `buildConnector`. */
export function buildReadingConnector(
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const onread: { buffer: Uint8Array; callback: Inbox['take'] } = {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES_MAX),
    callback: () => true,
  };
  const connect = buildConnector({ ...options, onread });
  return (target, callback) => {
    const inbox = new Inbox();
    // The socket's constructor, which runs within this call, reads it.
    onread.callback = inbox.take;
    connect(target, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      inbox.serve(socket);
      inboxes.set(socket, inbox);
      callback(null, socket);
    });
  };
}
