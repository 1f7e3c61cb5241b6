import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { steadyNowMs } from '../../../platform/clock/steady-clock.ts';
import { sameText } from '../../../platform/secrets/same-text.ts';
import {
  MessageTooLarge,
  queryMessage,
  MessageReader,
  type MessageGroup,
} from './embedded-messages.ts';

export interface EmbeddedServerOptions {
  readonly database: PGlite;
  /** Required on TCP, where other users of the machine could connect; null on a socket file. */
  readonly password: string | null;
}

/** Otherwise a client that falls silent in a transaction would block all others. */
const IDLE_IN_TRANSACTION_MS_MAX = 60_000;
const IDLE_CHECK_MS = 5_000;

/** Far more than the threads of one process open. */
const CONNECTIONS_MAX = 1_000;

const NO_ENCRYPTION = Buffer.from('N');
const ASK_PASSWORD = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const ROLLBACK = queryMessage('rollback');

/**
 * Serves a PGlite database to PostgreSQL clients over a socket.
 *
 * PGlite has one session. A connection owns it from the first message of a group until the session
 * is outside a transaction; the others wait in order. A group is passed to PGlite as a whole and
 * synchronously, so nothing interrupts it. Session state is shared, except prepared statements:
 * SET, session-level advisory locks and temporary tables.
 */
export class EmbeddedServer {
  readonly #database: PGlite;
  readonly #password: string | null;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  readonly #idleCheck: NodeJS.Timeout;
  /** First messages to every client: parameters of the session. */
  readonly #greeting: Buffer;
  #waiting: (() => void)[] = [];
  #owner: object | null = null;

  constructor(options: EmbeddedServerOptions) {
    this.#database = options.database;
    this.#password = options.password;
    this.#greeting = Buffer.from(this.#database.execProtocolRawSync(startupPacket()));
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    this.#server.maxConnections = CONNECTIONS_MAX;
    this.#idleCheck = setInterval(() => this.#endIdleTransaction(), IDLE_CHECK_MS);
    this.#idleCheck.unref();
  }

  /** Returns the port when it listens on TCP. */
  async listen(where: ListenOptions): Promise<number | null> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(where, () => {
        this.#server.removeListener('error', reject);
        // A connection that could not be accepted must not end the database for the others.
        this.#server.on('error', () => undefined);
        resolve();
      });
    });
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : null;
  }

  /** Runs work that needs the session alone, when it is free. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const self = {};
    await new Promise<void>((resolve) => {
      const take = (): void => {
        this.#owner = self;
        resolve();
      };
      if (this.#owner === null) take();
      else this.#waiting.push(take);
    });
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /**
   * Accepts no new connections and closes the open ones; unfinished transactions are rolled back.
   */
  async close(): Promise<void> {
    clearInterval(this.#idleCheck);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections) {
      this.#farewell(connection);
      connection.socket.destroy();
    }
    await closed;
  }

  #accept(socket: Socket): void {
    const connection = new Connection(socket);
    this.#connections.add(connection);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#farewell(connection));
    socket.on('data', (chunk) => {
      try {
        connection.reader.push(chunk);
        if (connection.state === 'serving') this.#serve(connection);
        else this.#greet(connection);
      } catch (error) {
        if (!(error instanceof MessageTooLarge)) throw error;
        socket.destroy();
      }
    });
  }

  #greet(connection: Connection): void {
    if (connection.state === 'starting') {
      const packet = connection.reader.nextStartup();
      if (packet === undefined) return;
      if (packet.kind === 'wants_encryption') {
        connection.socket.write(NO_ENCRYPTION);
        this.#greet(connection);
        return;
      }
      if (packet.kind !== 'starts') {
        connection.socket.destroy();
        return;
      }
      if (this.#password !== null) {
        connection.state = 'authenticating';
        connection.socket.write(ASK_PASSWORD);
        return;
      }
    } else {
      const given = connection.reader.nextPassword();
      if (given === undefined) return;
      if (given === null || !sameText(given, this.#password ?? '')) {
        connection.socket.destroy();
        return;
      }
    }
    connection.state = 'serving';
    connection.socket.write(this.#greeting);
    this.#serve(connection);
  }

  /** Runs the groups of a client, or queues the client while another one owns the session. */
  #serve(connection: Connection): void {
    if (connection.waits) return;
    for (;;) {
      connection.group ??= connection.reader.nextGroup();
      const { group } = connection;
      if (group === undefined) return;
      if (group === 'terminate') {
        connection.socket.end();
        return;
      }
      if (this.#owner !== null && this.#owner !== connection) {
        connection.waits = true;
        // What it sends meanwhile stays in the kernel's bounded buffers.
        connection.socket.pause();
        this.#waiting.push(() => {
          connection.waits = false;
          connection.socket.resume();
          if (!connection.socket.destroyed) this.#serve(connection);
        });
        return;
      }
      connection.group = undefined;
      this.#run(connection, group);
    }
  }

  #run(connection: Connection, group: MessageGroup): void {
    const owned = this.#owner !== null;
    const reply = this.#database.execProtocolRawSync(group.bytes);
    connection.usedAtMs = steadyNowMs();
    if (!connection.socket.write(reply)) {
      connection.socket.pause();
      connection.socket.once('drain', () => connection.socket.resume());
    }
    if (!group.complete || this.#database.isInTransaction()) this.#owner = connection;
    else if (owned) this.#release();
  }

  /** Gives the session to waiting clients until one keeps it. */
  #release(): void {
    this.#owner = null;
    while (this.#isFree() && this.#waiting.length > 0) this.#waiting.shift()?.();
  }

  #isFree(): boolean {
    return this.#owner === null;
  }

  /** Cleans up after a connection, once. */
  #farewell(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    const closes = connection.reader.farewell();
    const freeStatements = (): void => {
      if (closes !== null) this.#database.execProtocolRawSync(closes);
    };
    if (this.#owner === connection) {
      this.#database.execProtocolRawSync(ROLLBACK);
      freeStatements();
      this.#release();
    } else if (this.#owner === null) freeStatements();
    else this.#waiting.push(freeStatements);
  }

  #endIdleTransaction(): void {
    const owner = this.#owner;
    if (!(owner instanceof Connection)) return;
    if (steadyNowMs() - owner.usedAtMs > IDLE_IN_TRANSACTION_MS_MAX) owner.socket.destroy();
  }
}

/** One client. */
class Connection {
  readonly socket: Socket;
  readonly reader = new MessageReader();
  state: 'starting' | 'authenticating' | 'serving' = 'starting';
  /** Read but not run yet, because another client owns the session. */
  group: MessageGroup | 'terminate' | undefined;
  waits = false;
  usedAtMs = 0;

  constructor(socket: Socket) {
    this.socket = socket;
  }
}

function startupPacket(): Buffer {
  const fields = Buffer.from('user\0postgres\0database\0postgres\0\0', 'latin1');
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + fields.length, 0);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, fields]);
}
