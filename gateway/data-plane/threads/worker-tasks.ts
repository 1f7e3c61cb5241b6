import { readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { KeyRow } from '../authentication/key-row.ts';
import { verifyKey as lookUpKey } from '../authentication/verify-key.ts';
import type { LoginTask, OAuthReply } from '../device-login/login-task.ts';
import { readKeySpend } from '../device-login/read-key-spend.ts';
import { readManagedSettings } from '../device-login/read-managed-settings.ts';
import { runLoginTask } from '../device-login/run-login-task.ts';
import { openPool } from '../../stores/postgres/connect.ts';
import { CONNECTIONS } from '../../stores/postgres/pool-sizes.ts';
import { isConnectionError } from '../../stores/postgres/is-connection-error.ts';
import { deriveSecrets } from '../../platform/secrets/secrets.ts';
import { audioDuration, type AudioDuration } from '../../platform/audio/audio-duration.ts';
import { giveBackMemory } from './give-back-memory.ts';
import type { ProtocolId } from '../../protocols/protocol.ts';
import type { KeySpend, ManagedSettings } from '../../protocols/tool-replies.ts';
import { PROMPT_COUNTERS } from '../../protocols/prompt-counters.ts';
import { countTextTokens } from '../../tokens/prompt-counter.ts';

/** The data that a worker thread of the pool starts with. */
export interface WorkerStart {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly secretKeyPrevious: string | null;
  readonly loginTokenSeconds: number;
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
  return unlessAway(async () => ({ row: await lookUpKey(pool, secrets, key) }));
}

/**
 * An error loses its code on the way to another thread, which could not tell this one from a fault
 * of Weir's.
 */
async function unlessAway<Result>(
  work: () => Promise<Result>,
): Promise<Result | { readonly away: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && isConnectionError(error)) return { away: error.message };
    throw error;
  }
}

/** The result of a task of a login. */
export type LoginResult = { readonly reply: OAuthReply } | { readonly away: string };

export async function doLoginTask(task: LoginTask): Promise<LoginResult> {
  const accessTokenSeconds = start.loginTokenSeconds;
  return unlessAway(async () => ({
    reply: await runLoginTask(task, { pool, secrets, accessTokenSeconds }),
  }));
}

/** The result of a lookup for a tool that is logged in. */
export type ToolLookup<Found> = { readonly found: Found } | { readonly away: string };

export async function findKeySpend(keyId: string): Promise<ToolLookup<KeySpend>> {
  return unlessAway(async () => ({ found: await readKeySpend(pool, keyId) }));
}

export async function findManagedSettings(
  accountId: string,
): Promise<ToolLookup<ManagedSettings | null>> {
  return unlessAway(async () => ({ found: await readManagedSettings(pool, accountId) }));
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

/** A file of sound to measure: a range of an open file. */
export interface SoundTask {
  readonly descriptor: number;
  readonly at: number;
  readonly length: number;
}

/** A larger file is not measured, as all of it has to be in memory. Vendors take 25 to 100 MB. */
const SOUND_BYTES_MAX = 128 * 1024 * 1024;
const SOUND_READ_BYTES = 4 * 1024 * 1024;

/** Returns the duration of a file; null if it is unknown. */
export async function measureSound({
  descriptor,
  at,
  length,
}: SoundTask): Promise<AudioDuration | null> {
  if (length > SOUND_BYTES_MAX) return null;
  const sound = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length;) {
    const wanted = Math.min(SOUND_READ_BYTES, length - done);
    const read = readSync(descriptor, sound, done, wanted, at + done);
    if (read === 0) return null;
    done += read;
    await nextTurn();
  }
  return audioDuration(sound);
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
