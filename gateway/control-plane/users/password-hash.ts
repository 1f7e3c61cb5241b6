import { hash, verify } from '@node-rs/argon2';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

/**
 * OWASP's minimum for argon2id (Password Storage Cheat Sheet, 2024): 19 MiB, two passes, one lane.
 */
const ARGON2 = {
  // Argon2id; the library's enum is a const enum, which type stripping cannot read.
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
} as const;

/**
 * Running or waiting for one of the four threads of the pool, about 20 ms each: no one waits longer
 * than half a second.
 */
const CONCURRENT_HASHES_MAX = 64;
let running = 0;

/**
 * A hash of nothing anyone knows: checked when there is no such user, so that the answer takes as
 * long.
 */
let decoy: Promise<string> | undefined;

/** Kept in place of a hash until a valid password has been chosen: it matches none. */
export const NO_PASSWORD = '';

const BUSY = refuse(
  'overloaded',
  'Too many people are logging in at once. Try again in a moment.',
  {
    retryAfterMs: 1_000,
  },
);

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result | Refusal> {
  if (running >= CONCURRENT_HASHES_MAX) return BUSY;
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
  }
}

/** argon2id in PHC format. */
export function hashPassword(password: string): Promise<string | Refusal> {
  return inTurn(() => hash(password.normalize('NFC'), ARGON2));
}

/**
 * Compares in constant time; `storedHash` undefined or `NO_PASSWORD` costs as much and is false.
 */
export async function verifyPassword(
  storedHash: string | undefined,
  password: string,
): Promise<boolean | Refusal> {
  decoy ??= hash(crypto.randomUUID(), ARGON2);
  const isChosen = storedHash !== undefined && storedHash !== NO_PASSWORD;
  const compared = isChosen ? storedHash : await decoy;
  const same = await inTurn(() => verify(compared, password.normalize('NFC')));
  return typeof same === 'boolean' ? same && isChosen : same;
}
