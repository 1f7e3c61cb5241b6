import { runArrivals, type Spacing } from './arrivals.ts';
import { HttpConnection } from './http-connection.ts';
import { Samples, type Quantiles } from './quantiles.ts';
import { requestBytes, type Destination, type RequestShape } from './request-shape.ts';

export interface OpenLoopOrder {
  readonly kind: 'open_loop';
  readonly destination: Destination;
  readonly request: RequestShape;
  readonly ratePerSecond: number;
  /**
   * Sent at the same rate before the first request whose latency counts. Left alone while others
   * are measured, a server begins with cold caches; what that costs is not what it adds to every
   * request. wrk2 waits ten seconds likewise.
   */
  readonly leadInSeconds: number;
  readonly seconds: number;
  readonly spacing: Spacing;
  /** Connections opened before the first request; more are opened when all are busy. */
  readonly connections: number;
  readonly connectionsMax: number;
}

export interface OpenLoopResult {
  /** With those of the lead-in. */
  readonly sent: number;
  /** Replies by status, those of the lead-in too; 0 for connections that broke. */
  readonly statuses: Readonly<Record<number, number>>;
  /**
   * From when the arrival was due to the reply's last byte: a driver that is late makes no server
   * look quick.
   */
  readonly latencyMs: Quantiles;
  /** From when the arrival was due to the first byte of the reply's body. */
  readonly firstByteMs: Quantiles;
  /**
   * From when the arrival was due to when the driver got to it: the driver's own fault, not the
   * server's, and a part of both latencies.
   */
  readonly lateMs: Quantiles;
  /**
   * Requests that waited because every connection was busy, those of the lead-in too; the wait is
   * part of their latency.
   */
  readonly queued: number;
  readonly connections: number;
}

/**
 * A connection that has waited longer for its next request is replaced by a new one. Servers close
 * those that are idle, Weir after 8 to 12 s, and a request sent at that moment would count as one
 * that the server broke off.
 */
const IDLE_MS_MAX = 4_000;
const IDLE_LOOK_MS = 500;

/** After the last arrival, replies that have not come by then are given up. */
const GRACE_MS = 15_000;

/**
 * Sends requests at their times whatever the server does (an open loop): a server that stalls does
 * not slow its clients down, and every request that arrives during the stall is counted with its
 * whole wait. autocannon's rate limit cannot do this: its connections wait for replies, send a
 * second's share in one burst, and its correction adds a phantom sample per whole millisecond
 * whatever the rate is.
 */
export async function openLoop(order: OpenLoopOrder): Promise<OpenLoopResult> {
  const run = new OpenLoopRun(order);
  await run.warmConnections();
  const { ratePerSecond, spacing, leadInSeconds } = order;
  const seconds = leadInSeconds + order.seconds;
  const timer = setInterval(() => run.replaceIdle(), IDLE_LOOK_MS);
  await runArrivals({ ratePerSecond, spacing, seconds }, (dueMs) => run.arrive(dueMs));
  clearInterval(timer);
  await run.drained();
  return run.result();
}

interface Arrival {
  readonly request: Buffer;
  /** The time at which it was to be sent, from which an independent client would wait. */
  readonly dueMs: number;
  /** False in the lead-in. */
  readonly counts: boolean;
}

interface Idle {
  readonly connection: HttpConnection;
  readonly sinceMs: number;
}

class OpenLoopRun {
  readonly #order: OpenLoopOrder;
  readonly #requests: readonly Buffer[];
  readonly #leadInCount: number;
  /** Used from the end: those at the front are idle longest. */
  readonly #idle: Idle[] = [];
  readonly #waiting: Arrival[] = [];
  readonly #latency = new Samples();
  readonly #firstByte = new Samples();
  readonly #late = new Samples();
  readonly #statuses: Record<number, number> = {};
  #connections = 0;
  #sent = 0;
  #open = 0;
  #queued = 0;
  #onDrained: (() => void) | undefined;

  constructor(order: OpenLoopOrder) {
    this.#order = order;
    this.#requests = requestBytes(order.request, order.destination);
    this.#leadInCount = Math.round(order.ratePerSecond * order.leadInSeconds);
  }

  /**
   * Opens the connections and sends one request on each, so that no measured request pays for a
   * handshake.
   */
  async warmConnections(): Promise<void> {
    const [request] = this.#requests;
    if (request === undefined) throw new Error('A load needs at least one request.');
    await Promise.all(
      Array.from({ length: this.#order.connections }, async () => {
        const connection = this.#connect();
        await new Promise<void>((resolve) => {
          connection.send(request, {
            onFirstByte: () => undefined,
            onEvents: () => undefined,
            onEnd: () => resolve(),
          });
        });
        if (!connection.closed) this.#rest(connection);
      }),
    );
  }

  arrive(dueMs: number): void {
    const counts = this.#sent >= this.#leadInCount;
    if (counts) this.#late.push(performance.now() - dueMs);
    const request = this.#requests[this.#sent % this.#requests.length];
    if (request === undefined) return;
    this.#sent += 1;
    this.#open += 1;
    let connection = this.#idle.pop()?.connection;
    while (connection?.closed === true) connection = this.#idle.pop()?.connection;
    if (connection === undefined && this.#connections < this.#order.connectionsMax) {
      connection = this.#connect();
    }
    if (connection !== undefined) {
      this.#send(connection, { request, dueMs, counts });
      return;
    }
    this.#queued += 1;
    this.#waiting.push({ request, dueMs, counts });
  }

  /**
   * Replaces connections that have been idle for long, in their places: they are the last to be
   * used, and connected by then.
   */
  replaceIdle(): void {
    const beforeMs = performance.now() - IDLE_MS_MAX;
    for (const [at, { connection, sinceMs }] of this.#idle.entries()) {
      if (sinceMs > beforeMs) continue;
      connection.destroy();
      this.#idle[at] = { connection: this.#connect(), sinceMs: performance.now() };
    }
  }

  drained(): Promise<void> {
    if (this.#open === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onDrained = resolve;
      setTimeout(resolve, GRACE_MS);
    });
  }

  result(): OpenLoopResult {
    if (this.#open > 0) this.#statuses[0] = (this.#statuses[0] ?? 0) + this.#open;
    for (const { connection } of this.#idle) connection.destroy();
    return {
      sent: this.#sent,
      statuses: this.#statuses,
      latencyMs: this.#latency.quantiles(),
      firstByteMs: this.#firstByte.quantiles(),
      lateMs: this.#late.quantiles(),
      queued: this.#queued,
      connections: this.#connections,
    };
  }

  #rest(connection: HttpConnection): void {
    this.#idle.push({ connection, sinceMs: performance.now() });
  }

  #connect(): HttpConnection {
    this.#connections += 1;
    return new HttpConnection(this.#order.destination, () => {
      this.#connections -= 1;
    });
  }

  #send(connection: HttpConnection, { request, dueMs, counts }: Arrival): void {
    connection.send(request, {
      onFirstByte: () => {
        if (counts) this.#firstByte.push(performance.now() - dueMs);
      },
      onEvents: () => undefined,
      onEnd: (status) => {
        if (counts) this.#latency.push(performance.now() - dueMs);
        this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
        this.#free(connection);
      },
    });
  }

  #free(connection: HttpConnection): void {
    this.#open -= 1;
    if (this.#open === 0) this.#onDrained?.();
    if (connection.closed) return;
    const next = this.#waiting.shift();
    if (next === undefined) this.#rest(connection);
    else this.#send(connection, next);
  }
}
