/**
 * Measures the cost of the request log on an HTTP thread: microseconds for each request that is
 * over, alongside the log line that is written anyway. `npm run bench:profile` shows the same
 * within a running gateway.
 */
import { Principal } from '../../gateway/data-plane/authentication/principal.ts';
import { newRequestId } from '../../gateway/platform/ids/request-id.ts';
import { createLogger } from '../../gateway/platform/telemetry/logger.ts';
import { requestLog, type RequestSummary } from '../../gateway/platform/telemetry/request-log.ts';
import { RequestHistory } from '../../gateway/request-history/request-history.ts';
import { KEY_ROW } from '../../test/support/ledger/key-row.ts';

const CALLS = 50_000;
const ROUNDS = 5;
const WARM_UP = 2;
const NOW_MS = Date.now();

function summary(change: Partial<RequestSummary>): RequestSummary {
  return {
    startedAtMs: NOW_MS,
    createdAtMs: NOW_MS,
    requestId: newRequestId(NOW_MS),
    principal: new Principal(KEY_ROW),
    model: 'vendor/model-1',
    stream: false,
    channelId: '01a1fd85-7715-7fed-a767-b935f6226f9c',
    attempts: 1,
    status: 'completed',
    httpStatus: 200,
    firstByteAtMs: NOW_MS + 120,
    tokens: { input: 1_000, cachedInput: 0, cacheWrite: 0, output: 200, reasoning: 0 },
    estimated: false,
    capped: false,
    costNanoUsd: 4_000_000,
    refused: null,
    upstreamFailure: null,
    protocol: 'openai-chat',
    refusalMessage: null,
    failedAttempts: null,
    unauthenticated: null,
    holdFromMs: 2,
    heldMs: 4,
    attemptFromMs: 4,
    settleFromMs: 890,
    ...change,
  };
}

/**
 * CPU of one call, garbage collection included: on a busy machine time says nothing. The median of
 * several rounds.
 */
function measure(name: string, work: () => unknown): void {
  const costs: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let call = 0; call < CALLS; call += 1) work();
    const { user, system } = process.cpuUsage(before);
    if (round >= WARM_UP) costs.push((user + system) / CALLS);
  }
  const [median = Number.NaN] = costs.toSorted((a, b) => a - b).slice(Math.floor(ROUNDS / 2));
  console.log(`${name.padEnd(56)} ${median.toFixed(3).padStart(10)} us`);
}

const logger = createLogger({ logLevel: 'info' }, { thread: 0 }, { write: () => undefined });
const log = requestLog(logger, CALLS);
const served = summary({});
const guessed = summary({
  ...{ principal: null, model: null, channelId: null, attempts: 0, tokens: null },
  ...{ status: 'failed', httpStatus: 401, refused: 'invalid_api_key', firstByteAtMs: null },
});
let bytes = 0;
const history = new RequestHistory(1e9, (batch) => {
  bytes += batch.json.byteLength;
  // As to another thread: the memory moves.
  structuredClone(batch, { transfer: [batch.json.buffer] });
});
const flooded = new RequestHistory(1, () => undefined);
for (let sent = 0; sent < CALLS; sent += 1) flooded.add(guessed, NOW_MS);

measure('log line', () => log.request(served, NOW_MS));
measure('log line and entry', () => {
  history.add(served, NOW_MS, log.request(served, NOW_MS));
});
measure('entry without a log line', () => history.add(served, NOW_MS));
measure('one of a flood of guessed keys', () => flooded.add(guessed, NOW_MS));
measure('the same, of a served request', () => flooded.add(served, NOW_MS));
history.close();
flooded.close();
console.log(`${String(bytes)} bytes handed on`);
