/**
 * One HTTP thread: everything on the request path runs here.
 *
 * States: starting -> serving -> draining (at first, if so configured, only announced; then no new
 * connections; requests in flight finish) -> ended. A thread never calls process.exit and is never
 * terminated: a uWS app that is cut off aborts the whole process. It closes what it opened and then
 * has nothing left to do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { useClocks } from '../../platform/clock/store-clock.ts';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import { createThreadContext, type OwnedThreadContext } from './create-thread-context.ts';
import { giveBackMemory } from './give-back-memory.ts';
import type { FromHttpThread, HttpThreadStart, ThreadCounters, ToHttpThread } from './messages.ts';
import { Catalog } from '../../catalog/catalog.ts';
import { serveExchange, serveUpgrade } from '../router.ts';
import { causeOf } from '../../platform/errors/cause-of.ts';
import { REPLY_HEADERS } from '../http/cors.ts';
import { listen, type Listener } from '../http/listen.ts';

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

const start = workerData as HttpThreadStart;
const port = parentPort;
if (port === null) throw new Error('http-thread.ts runs as a worker thread');
const main = port;
if (start.clocks !== undefined) useClocks(start.clocks);
const send = (message: FromHttpThread): void => main.postMessage(message);

let draining = false;
/**
 * Bills given up before it drained: they are logged then and do not change the exit code.
 */
let givenUpBefore = 0;

const owned: OwnedThreadContext = await createThreadContext(start, {
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
const { context } = owned;
const { state } = context;
giveBackMemory();
let listener: Listener | undefined;
try {
  listener = await listen({
    host: start.config.host,
    port: start.port,
    crossOriginHeaders: REPLY_HEADERS,
    reuseConnections: start.config.reuseConnections,
    ticker: context.ticker,
    uwsModule: start.config.uwsModule,
    onExchange: (exchange) => serveExchange(exchange, context),
    webSockets: {
      // A longer event of a session is answered, up to twice its limit.
      frameBytesMax: Math.max(
        start.config.requestBodyBytesMax,
        2 * start.config.realtimeEventBytesMax,
      ),
      onUpgrade: (exchange) => serveUpgrade(exchange, context),
    },
  });
  send({ kind: 'ready', port: listener.port });
} catch (error) {
  send({ kind: 'cannot_listen', message: causeOf(error) });
  await end();
}

main.on('message', (message: ToHttpThread) => receive(message));
process.on('uncaughtException', (error) => fail(error));
process.on('unhandledRejection', (reason) => fail(reason));

function receive(message: ToHttpThread): void {
  switch (message.kind) {
    case 'catalog':
      state.catalog = new Catalog(message.snapshot);
      context.minted.keepOnly(state.catalog.credentials());
      return;
    case 'minted':
      context.minted.apply(message.entries);
      return;
    case 'changed':
      context.principals.forget(message.keyIds);
      context.principals.forget(message.accountIds);
      return;
    case 'forget_all':
      context.principals.forgetAll();
      return;
    case 'stores':
      state.stores = message;
      return;
    case 'count':
      send({ kind: 'counters', counters: readCounters() });
      return;
    case 'drain':
      void drain(message);
      return;
    case 'crash':
      setImmediate(() => {
        throw new Error('crashed on request');
      });
  }
}

function readCounters(): ThreadCounters {
  return context.counters.read({
    inFlight: listener?.inFlight() ?? 0,
    settlesPending: context.settlement.pending(),
    uncollectedNanoUsd: context.settlement.totals().uncollectedNanoUsd,
    channelHealth: (channelId) => context.health.report(channelId),
  });
}

/**
 * A broken invariant somewhere: another thread takes over, this one finishes what it can and ends.
 */
function fail(error: unknown): void {
  const known = error instanceof Error ? error : new Error(String(error));
  // It stops accepting first: a connection that it took in between would be closed without an
  // answer.
  void drain({ graceMs: FAILING_GRACE_MS, delayMs: 0 });
  send({ kind: 'failing', message: known.message, stack: known.stack ?? '' });
}

async function drain({ graceMs, delayMs }: DrainTimes): Promise<void> {
  if (draining) return;
  draining = true;
  givenUpBefore = context.settlement.totals().givenUp;
  const deadlineMs = steadyNowMs() + graceMs;
  if (delayMs > 0) {
    // Load balancers look now and then only, and send requests here until they have seen that none
    // are wanted.
    state.shuttingDown = true;
    listener?.endConnections();
    await sleep(delayMs);
  }
  listener?.stopAccepting();
  let quietSinceMs = steadyNowMs();
  while (steadyNowMs() < deadlineMs) {
    const nowMs = steadyNowMs();
    if (unfinished() > 0) quietSinceMs = nowMs;
    else if (nowMs - quietSinceMs >= Math.min(DRAIN_QUIET_MS, graceMs)) break;
    await sleep(DRAIN_LOOK_MS);
  }
  await end();
}

/**
 * Exchanges that wait for their reply, and requests whose client has left before their bill was
 * written.
 */
function unfinished(): number {
  return Math.max(listener?.inFlight() ?? 0, state.requestsUnderWay);
}

async function end(): Promise<void> {
  const cutOff = unfinished();
  listener?.close();
  // A client that was cut off pays for what has reached it, and no more.
  const deadlineMs = steadyNowMs() + LAST_BILLS_MS;
  while (state.requestsUnderWay > 0 && steadyNowMs() < deadlineMs) await sleep(DRAIN_LOOK_MS);
  await owned.close();
  const givenUp = context.settlement.totals().givenUp - givenUpBefore;
  send({ kind: 'drained', unfinished: cutOff, givenUp, counters: readCounters() });
  main.close();
}
