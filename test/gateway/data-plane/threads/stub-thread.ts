/**
 * Stands in for an HTTP thread in tests of the supervisor: it speaks the same messages and does
 * what its orders, a file that the test writes, say. `count` answers how often the place was told
 * what.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type {
  FromHttpThread,
  HttpThreadStart,
  ThreadCounters,
  ToHttpThread,
} from '../../../../gateway/data-plane/threads/messages.ts';

const { index, config, port } = workerData as HttpThreadStart;
const orders = existsSync(config.dataDir) ? readFileSync(config.dataDir, 'utf8') : '';
let told = 0;
let mute = false;

/** Interval in which a failing thread checks whether it may end. */
const LOOK_MS = 10;

function send(message: FromHttpThread): void {
  parentPort?.postMessage(message);
}

function counters(): ThreadCounters {
  return {
    requests: 10 + index,
    inFlight: 1,
    statuses: { 200: 10 + index },
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: 0,
    uncollectedNanoUsd: 7,
    settlesPending: 0,
    latencyMsBuckets: [{ le: 5, count: told }],
    latencyMsSum: 0,
    channels: [
      {
        channelId: 'c',
        state: 'open',
        retryAtMs: 1,
        limitedModels: [],
        outcomes: { lastSuccessAtMs: null, failedAtMs: [], lastFailure: null },
        attempts: 2,
        failures: 1,
      },
    ],
  };
}

function end(unfinished: number): void {
  send({ kind: 'drained', unfinished, givenUp: 2 * unfinished, counters: counters() });
  parentPort?.close();
}

parentPort?.on('message', (message: ToHttpThread) => {
  if (message.kind === 'count') {
    if (!mute) send({ kind: 'counters', counters: counters() });
  } else if (message.kind === 'changed') mute = true;
  else if (message.kind === 'drain') setTimeout(() => end(index), 20);
  else if (message.kind === 'stores') told += 1;
  else if (message.kind === 'crash') {
    send({ kind: 'failing', message: 'asked to', stack: '' });
    const timer = setInterval(() => {
      if (!existsSync(`${config.dataDir}.end`)) return;
      clearInterval(timer);
      end(1);
    }, LOOK_MS);
  } else if (message.kind === 'forget_all') process.exit(7);
});

if (orders === 'throw at start') throw new Error('ordered to throw');
if (orders === 'cannot listen') {
  send({ kind: 'cannot_listen', message: 'Port 1 cannot be used. Set PORT to a free one.' });
  parentPort?.close();
} else send({ kind: 'ready', port });
