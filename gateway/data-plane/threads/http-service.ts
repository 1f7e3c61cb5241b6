import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import { createThreadContext, type OwnedThreadContext } from './create-thread-context.ts';
import { giveBackMemory } from './give-back-memory.ts';
import type { FromHttpThread, HttpThreadStart, ThreadCounters, ToHttpThread } from './messages.ts';
import { Catalog } from '../../catalog/catalog.ts';
import { serveExchange, serveUpgrade } from '../router.ts';
import { causeOf } from '../../platform/errors/cause-of.ts';
import { REPLY_HEADERS } from '../http/cors.ts';
import { listen, type Listener } from '../http/listen.ts';
import type { ThreadContext } from '../thread-context.ts';

/** The interval at which a draining thread checks whether its requests are done. */
const DRAIN_LOOK_MS = 20;
/** The bills of requests that were cut off are counted and settled in well under a second. */
const LAST_BILLS_MS = 3_000;
/**
 * After an uncaught exception requests in flight get this long: the thread cannot be trusted for
 * more.
 */
const FAILING_GRACE_MS = 5_000;
/** Clients with a kept-alive connection may just have sent a request when draining begins. */
const DRAIN_QUIET_MS = 250;

type DrainTimes = Omit<Extract<ToHttpThread, { kind: 'drain' }>, 'kind'>;

/**
 * Serves clients in the thread that opens it, and does what the messages of the main thread say.
 *
 * States: starting -> serving -> draining (at first, if so configured, only announced; then no new
 * connections; requests in flight finish) -> ended. A thread never calls process.exit and is never
 * terminated: a uWS app that is cut off aborts the whole process. It closes what it opened, its
 * port to the main thread last, and then has nothing left to do.
 */
export class HttpService {
  readonly #start: HttpThreadStart;
  readonly #main: MessagePort;
  readonly #owned: OwnedThreadContext;
  readonly #context: ThreadContext;
  #listener: Listener | undefined;
  #draining = false;
  /** Bills given up before it drained: they are logged then and do not change the exit code. */
  #givenUpBefore = 0;

  private constructor(start: HttpThreadStart, main: MessagePort, owned: OwnedThreadContext) {
    this.#start = start;
    this.#main = main;
    this.#owned = owned;
    this.#context = owned.context;
  }

  /** Resolves when it serves, or has ended because its port cannot be used. */
  static async open(start: HttpThreadStart, main: MessagePort): Promise<HttpService> {
    const send = (message: FromHttpThread): void => main.postMessage(message);
    const owned = await createThreadContext(start, {
      requests: (batch) =>
        main.postMessage({ kind: 'requests', batch } satisfies FromHttpThread, [batch.json.buffer]),
      content: (content) => {
        const { bodies } = content;
        const moved = bodies === null ? [] : [bodies.request.buffer, bodies.reply.buffer];
        main.postMessage({ kind: 'content', content } satisfies FromHttpThread, moved);
      },
      learned: (refusal) => send({ kind: 'learned', refusal }),
      secretRefused: (reference, secret) => send({ kind: 'secret_refused', reference, secret }),
    });
    giveBackMemory();
    const service = new HttpService(start, main, owned);
    await service.#listen();
    main.on('message', (message: ToHttpThread) => service.#receive(message));
    return service;
  }

  /**
   * A broken invariant somewhere: another thread takes over, this one finishes what it can and
   * ends.
   */
  fail(error: unknown): void {
    const known = error instanceof Error ? error : new Error(String(error));
    // It stops accepting first: a connection that it took in between would be closed without an
    // answer.
    void this.#drain({ graceMs: FAILING_GRACE_MS, delayMs: 0 });
    this.#send({ kind: 'failing', message: known.message, stack: known.stack ?? '' });
  }

  #send(message: FromHttpThread): void {
    this.#main.postMessage(message);
  }

  async #listen(): Promise<void> {
    const { config, port } = this.#start;
    const context = this.#context;
    try {
      this.#listener = await listen({
        host: config.host,
        port,
        crossOriginHeaders: REPLY_HEADERS,
        reuseConnections: config.reuseConnections,
        ticker: context.ticker,
        uwsModule: config.uwsModule,
        onExchange: (exchange) => serveExchange(exchange, context),
        webSockets: {
          // A longer event of a session is answered, up to twice its limit.
          frameBytesMax: Math.max(config.requestBodyBytesMax, 2 * config.realtimeEventBytesMax),
          onUpgrade: (exchange) => serveUpgrade(exchange, context),
        },
      });
      this.#send({ kind: 'ready', port: this.#listener.port });
    } catch (error) {
      this.#send({ kind: 'cannot_listen', message: causeOf(error) });
      await this.#end();
    }
  }

  #receive(message: ToHttpThread): void {
    const { state, minted, principals } = this.#context;
    switch (message.kind) {
      case 'catalog':
        state.catalog = new Catalog(message.snapshot);
        minted.keepOnly(state.catalog.credentials());
        return;
      case 'minted':
        minted.apply(message.entries);
        return;
      case 'changed':
        principals.forget(message.keyIds);
        principals.forget(message.accountIds);
        return;
      case 'forget_all':
        principals.forgetAll();
        return;
      case 'stores':
        state.stores = message;
        return;
      case 'count':
        this.#send({ kind: 'counters', counters: this.#readCounters() });
        return;
      case 'drain':
        void this.#drain(message);
        return;
      case 'crash':
        setImmediate(() => {
          throw new Error('crashed on request');
        });
    }
  }

  #readCounters(): ThreadCounters {
    const { counters, settlement, health } = this.#context;
    return counters.read({
      inFlight: this.#listener?.inFlight() ?? 0,
      settlesPending: settlement.pending(),
      uncollectedNanoUsd: settlement.totals().uncollectedNanoUsd,
      channelHealth: (channelId) => health.report(channelId),
    });
  }

  async #drain({ graceMs, delayMs }: DrainTimes): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    this.#givenUpBefore = this.#context.settlement.totals().givenUp;
    const deadlineMs = steadyNowMs() + graceMs;
    if (delayMs > 0) {
      // Load balancers look now and then only, and send requests here until they have seen that
      // none are wanted.
      this.#context.state.shuttingDown = true;
      this.#listener?.endConnections();
      await sleep(delayMs);
    }
    this.#listener?.stopAccepting();
    let quietSinceMs = steadyNowMs();
    while (steadyNowMs() < deadlineMs) {
      const nowMs = steadyNowMs();
      if (this.#unfinished() > 0) quietSinceMs = nowMs;
      else if (nowMs - quietSinceMs >= Math.min(DRAIN_QUIET_MS, graceMs)) break;
      await sleep(DRAIN_LOOK_MS);
    }
    await this.#end();
  }

  /**
   * Exchanges that wait for their reply, and requests whose client has left before their bill was
   * written.
   */
  #unfinished(): number {
    return Math.max(this.#listener?.inFlight() ?? 0, this.#context.state.requestsUnderWay);
  }

  async #end(): Promise<void> {
    const { state, settlement } = this.#context;
    const cutOff = this.#unfinished();
    this.#listener?.close();
    // A client that was cut off pays for what has reached it, and no more.
    const deadlineMs = steadyNowMs() + LAST_BILLS_MS;
    while (state.requestsUnderWay > 0 && steadyNowMs() < deadlineMs) await sleep(DRAIN_LOOK_MS);
    await this.#owned.close();
    const givenUp = settlement.totals().givenUp - this.#givenUpBefore;
    this.#send({ kind: 'drained', unfinished: cutOff, givenUp, counters: this.#readCounters() });
    this.#main.close();
  }
}
