import { createHmac } from 'node:crypto';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { networkOf } from '../../../platform/network/address.ts';
import { onlyRow } from '../transaction.ts';
import type { AdminContext } from '../context.ts';

const WINDOW_MINUTES = 15;

export type AttemptPurpose =
  | 'login'
  | 'register'
  | 'reset'
  | 'verify'
  | 'second_factor'
  | 'redeem'
  | 'invite'
  | 'device_code'
  | 'directory'
  | 'cross_site';

/** In Postgres, so that several admin processes count together and a restart forgets nothing. */
const COUNT = `
  insert into attempt_counters as known (subject, attempts, window_ends_at)
  values ($1, 1, now() + make_interval(mins => $2))
  on conflict (subject) do update set
    attempts = case when known.window_ends_at < now() then 1 else known.attempts + 1 end,
    window_ends_at = case when known.window_ends_at < now() then excluded.window_ends_at else known.window_ends_at end
  returning attempts, extract(epoch from window_ends_at - now()) * 1000 as "remainingMs"`;

const FORGET = 'delete from attempt_counters where subject = any ($1)';

/** Subjects are stored as digests: the table must not be a list of who tried to log in. */
function subject(context: AdminContext, purpose: AttemptPurpose, name: string): Buffer {
  return createHmac('sha256', context.secrets.digestKeys[0])
    .update(`attempt:${purpose}:${name}`)
    .digest();
}

async function count(
  context: AdminContext,
  counted: Buffer,
  attemptsMax: number,
): Promise<Refusal | undefined> {
  const { rows } = await context.pool.query<{ attempts: number; remainingMs: string }>(COUNT, [
    counted,
    WINDOW_MINUTES,
  ]);
  const { attempts, remainingMs } = onlyRow(rows);
  if (attempts <= attemptsMax) return undefined;
  return refuse(
    'rate_limit_exceeded',
    'Too many attempts. Wait a few minutes before the next one.',
    {
      retryAfterMs: Math.ceil(Number(remainingMs)),
    },
  );
}

/**
 * Counts an attempt for an e-mail address, user or account, known or not, and refuses beyond the
 * limit. To be asked before anything is looked up, so that the refusal reveals nothing.
 */
export function countAttempt(
  context: AdminContext,
  purpose: AttemptPurpose,
  name: string,
): Promise<Refusal | undefined> {
  return count(context, subject(context, purpose, name), context.limits.attemptsPerSubject);
}

function subjectsFrom(context: AdminContext, purpose: AttemptPurpose, from: AttemptFrom) {
  return {
    here: subject(context, purpose, `${from.email} from ${networkOf(from.address)}`),
    anywhere: subject(context, purpose, from.email),
  };
}

/** An attempt of somebody who has shown nothing yet. */
interface AttemptFrom {
  readonly email: string;
  readonly address: string;
}

/**
 * Counts an attempt of somebody unknown for an e-mail address: from their network, and at a far
 * higher limit from anywhere. With one count for both, anyone who fails on purpose would lock the
 * owner out. What is refused to a network does not count further, so that it takes many of them to
 * lock anyone out.
 */
export async function countAttemptFrom(
  context: AdminContext,
  purpose: AttemptPurpose,
  from: AttemptFrom,
): Promise<Refusal | undefined> {
  const { here, anywhere } = subjectsFrom(context, purpose, from);
  const { attemptsPerSubject, attemptsPerSubjectFromAnywhere } = context.limits;
  return (
    (await count(context, here, attemptsPerSubject)) ??
    (await count(context, anywhere, attemptsPerSubjectFromAnywhere))
  );
}

/** After a success the count starts over. */
export async function forgetAttempts(
  context: AdminContext,
  purpose: AttemptPurpose,
  name: string,
): Promise<void> {
  await forget(context, [subject(context, purpose, name)]);
}

/**
 * After a success the counts start over, that of this network and that of all; other networks keep
 * theirs.
 */
export async function forgetAttemptsFrom(
  context: AdminContext,
  purpose: AttemptPurpose,
  from: AttemptFrom,
): Promise<void> {
  const { here, anywhere } = subjectsFrom(context, purpose, from);
  await forget(context, [here, anywhere]);
}

const TAKE_BACK = `
  update attempt_counters set attempts = greatest(0, attempts - 1) where subject = any ($1)`;

/** Uncounts attempts that were right, where only wrong ones count. */
export async function takeAttemptsBack(
  context: AdminContext,
  purpose: AttemptPurpose,
  names: readonly string[],
): Promise<void> {
  await context.pool.query(TAKE_BACK, [names.map((name) => subject(context, purpose, name))]);
}

/** The act has succeeded already: a failure here must not tell its caller that it failed. */
async function forget(context: AdminContext, subjects: readonly Buffer[]): Promise<void> {
  try {
    await context.pool.query(FORGET, [subjects]);
  } catch (error) {
    context.logger.warn(
      { err: error },
      'attempts could not be cleared: they count until their window ends',
    );
  }
}
