/**
 * Splits what a client of the PostgreSQL protocol (version 3) sends into groups, and separates the
 * names of its prepared statements from those of other clients.
 *
 * A group ends with the message after which a client waits: a simple query, Sync, or Flush. The
 * embedded database has one session for all connections, so groups must not be interleaved: another
 * client's statement between a Parse and its Bind would receive the wrong parameters.
 */
export interface MessageGroup {
  readonly bytes: Buffer;
  /**
   * False after a Flush: the client continues the same statement, and no other client may come
   * between.
   */
  readonly complete: boolean;
}

export type Startup = 'wants_encryption' | 'cancels' | 'starts' | 'unknown';

export interface StartupPacket {
  readonly kind: Startup;
}

/** A larger message is not one of our statements; it ends the connection. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

const LENGTH_BYTES = 4;
const HEADER_BYTES = 1 + LENGTH_BYTES;

const STARTUP_CODES: Readonly<Record<number, Startup>> = {
  196_608: 'starts',
  80_877_102: 'cancels',
  80_877_103: 'wants_encryption',
  80_877_104: 'wants_encryption',
};

/** Message types by their letter. */
const TYPE = {
  query: 0x51,
  parse: 0x50,
  bind: 0x42,
  describe: 0x44,
  close: 0x43,
  sync: 0x53,
  flush: 0x48,
  terminate: 0x58,
  password: 0x70,
} as const;

const STATEMENT = 0x53;

export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';
}

/**
 * Numbers statements of all connections. Each gets a short name of its own, because PostgreSQL
 * compares 63 bytes only.
 */
let statementNames = 0;

/** The incoming side of one connection. */
export class MessageReader {
  #pending: Buffer = Buffer.alloc(0);
  #group: Buffer[] = [];
  readonly #statements = new Map<string, Buffer>();

  push(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
  }

  /** The next untyped packet, the first of a connection; undefined while it is incomplete. */
  nextStartup(): StartupPacket | undefined {
    if (this.#pending.length < 2 * LENGTH_BYTES) return undefined;
    const length = this.#pending.readInt32BE(0);
    const code = this.#pending.readInt32BE(LENGTH_BYTES);
    if (this.#take(length) === undefined) return undefined;
    return { kind: STARTUP_CODES[code] ?? 'unknown' };
  }

  /** The text of a password message; undefined while it is incomplete, null for another message. */
  nextPassword(): string | null | undefined {
    const message = this.#nextMessage();
    if (message === undefined) return undefined;
    if (message[0] !== TYPE.password) return null;
    return message.toString('utf8', HEADER_BYTES, message.length - 1);
  }

  /** The next group; undefined while it is incomplete, 'terminate' when the client disconnects. */
  nextGroup(): MessageGroup | 'terminate' | undefined {
    for (;;) {
      const message = this.#nextMessage();
      if (message === undefined) return undefined;
      const type = message[0];
      if (type === TYPE.terminate) return 'terminate';
      this.#group.push(this.#renamed(message));
      if (type === TYPE.query || type === TYPE.sync || type === TYPE.flush) {
        const bytes = this.#group.length === 1 ? this.#group[0] : Buffer.concat(this.#group);
        this.#group = [];
        return { bytes: bytes ?? message, complete: type !== TYPE.flush };
      }
    }
  }

  /** Deallocates the prepared statements of a closed connection; null when it had none. */
  farewell(): Buffer | null {
    if (this.#statements.size === 0) return null;
    const closes = [...this.#statements.values()].map((name) =>
      typedMessage(TYPE.close, [Buffer.of(STATEMENT), name]),
    );
    return Buffer.concat([...closes, typedMessage(TYPE.sync, [])]);
  }

  #nextMessage(): Buffer | undefined {
    if (this.#pending.length < HEADER_BYTES) return undefined;
    return this.#take(1 + this.#pending.readInt32BE(1));
  }

  #take(length: number): Buffer | undefined {
    if (length < LENGTH_BYTES || length > MESSAGE_BYTES_MAX) {
      throw new MessageTooLarge(`a message of ${length} bytes`);
    }
    if (this.#pending.length < length) return undefined;
    const taken = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    return taken;
  }

  #renamed(message: Buffer): Buffer {
    switch (message[0]) {
      case TYPE.parse:
        return this.#renameAt(message, HEADER_BYTES);
      case TYPE.bind:
        // The name of the portal precedes that of the statement.
        return this.#renameAt(message, message.indexOf(0, HEADER_BYTES) + 1);
      case TYPE.describe:
      case TYPE.close:
        return message[HEADER_BYTES] === STATEMENT
          ? this.#renameAt(message, HEADER_BYTES + 1)
          : message;
      default:
        return message;
    }
  }

  #renameAt(message: Buffer, start: number): Buffer {
    const end = message.indexOf(0, start);
    // The unnamed statement is used within one group only, which is never interrupted.
    if (end === start) return message;
    const name = message.toString('latin1', start, end);
    let ours = this.#statements.get(name);
    if (ours === undefined) {
      statementNames += 1;
      ours = Buffer.from(`s${statementNames}\0`, 'latin1');
      this.#statements.set(name, ours);
    }
    return typedMessage(message[0] ?? 0, [
      message.subarray(HEADER_BYTES, start),
      ours,
      message.subarray(end + 1),
    ]);
  }
}

/** A simple query as a client would send it. */
export function queryMessage(sql: string): Buffer {
  return typedMessage(TYPE.query, [Buffer.from(`${sql}\0`, 'utf8')]);
}

function typedMessage(type: number, parts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(type, 0);
  header.writeInt32BE(
    parts.reduce((sum, part) => sum + part.length, LENGTH_BYTES),
    1,
  );
  return Buffer.concat([header, ...parts]);
}
