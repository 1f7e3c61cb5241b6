import { setImmediate as nextTurn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { KeyRow } from '../authentication/key-row.ts';
import { verifyKey as lookUpKey } from '../authentication/verify-key.ts';
import { openPool } from '../../stores/postgres/connect.ts';
import { CONNECTIONS } from '../../stores/postgres/pool-sizes.ts';
import { isConnectionError } from '../../stores/postgres/is-connection-error.ts';
import { deriveSecrets } from '../../platform/secrets/secrets.ts';
import { giveBackMemory } from './give-back-memory.ts';
import type { ProtocolId } from '../../protocols/protocol.ts';
import { PROMPT_COUNTERS } from '../../protocols/prompt-counters.ts';
import { countTextTokens } from '../../tokens/prompt-counter.ts';

/** The data that a worker thread of the pool starts with. */
export interface WorkerStart {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly secretKeyPrevious: string | null;
}

/** A request waits for it. */
const LOOKUP_TIMEOUT_MS = 5_000;

const start = workerData as WorkerStart;
const pool = openPool(start.databaseUrl, {
  connectionsMax: CONNECTIONS.worker,
  applicationName: 'weir key verification',
  statementTimeoutMs: LOOKUP_TIMEOUT_MS,
});
const secrets = deriveSecrets(start.secretKey, start.secretKeyPrevious);
giveBackMemory();

/** The result of a key's lookup. */
export type KeyLookup = { readonly row: KeyRow | null } | { readonly away: string };

export async function verifyKey(key: string): Promise<KeyLookup> {
  try {
    return { row: await lookUpKey(pool, secrets, key) };
  } catch (error) {
    // An error loses its code on the way to another thread, which could not distinguish this one
    // from a fault of Weir's.
    if (error instanceof Error && isConnectionError(error)) return { away: error.message };
    throw error;
  }
}

/** A prompt to count. */
export interface PromptTask {
  readonly protocol: ProtocolId;
  readonly model: string;
  /** The request body as it came. */
  readonly body: Uint8Array;
}

export function countPrompt({ protocol, model, body }: PromptTask): Promise<number> {
  return inTurns(PROMPT_COUNTERS[protocol](model, body));
}

export function countText(task: {
  readonly model: string;
  readonly text: string;
}): Promise<number> {
  return inTurns(countTextTokens(task.model, task.text));
}

/**
 * Keys are verified between the turns: a count may take seconds, and no client's first request
 * waits so long.
 */
async function inTurns(count: Generator<undefined, number>): Promise<number> {
  for (;;) {
    const turn = count.next();
    if (turn.done === true) return turn.value;
    await nextTurn();
  }
}
