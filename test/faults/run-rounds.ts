import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerStore } from '../../gateway/ledger/ledger-store.ts';
import { Random } from '../simulator/random.ts';
import { BalanceWatch } from './balance-watch.ts';
import { checkBooks, findMissing } from './check-books.ts';
import type { FaultFixture } from './fault-fixture.ts';
import { planRound, strike, type FaultKind } from './faults.ts';
import { Load, type Reply } from './load.ts';
import { untilServing } from './until-serving.ts';

export interface FaultReport {
  readonly seed: number;
  readonly store: LedgerStore;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly replies: Readonly<Record<Reply['fate'], number>>;
  /** Replies of realtime sessions whose end reached a client. */
  readonly spoken: number;
  readonly records: number;
  /** Empty when everything was as promised. */
  readonly violations: readonly string[];
}

export interface FaultRunOptions {
  readonly fixture: FaultFixture;
  readonly seed: number;
  readonly faults: number;
  readonly kinds: readonly FaultKind[];
  /** A line for each round. */
  readonly print: (line: string) => void;
}

const LOAD_GOES_ON_MS = 700;

/**
 * Rounds of load, one fault or two, and a look at the books; ends with the first round that finds a
 * violation.
 */
export async function runRounds(options: FaultRunOptions): Promise<FaultReport> {
  const { fixture, seed, faults, kinds, print } = options;
  const random = new Random(seed);
  const counts: Partial<Record<FaultKind, number>> = {};
  const fates = { finished: 0, partial: 0, refused: 0 };
  const finishedIds: string[] = [];
  const violations: string[] = [];
  let struck = 0;
  while (struck < faults && violations.length === 0) {
    const plan = planRound(random, { store: fixture.store, kinds, faultsMax: faults - struck });
    const startMs = performance.now();
    const round = await playRound(fixture, random, plan);
    struck += plan.length;
    for (const { kind } of plan) counts[kind] = (counts[kind] ?? 0) + 1;
    for (const { fate, requestId } of round.replies) {
      fates[fate] += 1;
      if (fate === 'finished') finishedIds.push(requestId);
    }
    violations.push(...round.violations);
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
    const finished = round.replies.filter(({ fate }) => fate === 'finished').length;
    print(
      `${String(struck).padStart(4)}/${faults}  ${seconds.padStart(5)} s  ${String(finished).padStart(5)} replies in full  ` +
        `${round.violations.length === 0 ? 'books agree' : 'VIOLATION'}  ${round.struck.join('; then ')}`,
    );
  }
  // What was billed after one fault must not have been lost by a later one.
  const missing = violations.length > 0 ? [] : await findMissing(fixture, finishedIds);
  violations.push(...missing.map((id) => `request ${id} is no longer in the book`));
  const { spoken, speaker } = fixture.media;
  if (violations.length === 0) violations.push(...(await spoken.compare(fixture.pool, speaker.id)));
  const { rows } = await fixture.pool.query<{ records: number }>(
    'select count(*)::int as records from usage_records',
  );
  return {
    seed,
    store: fixture.store,
    faults: counts,
    replies: fates,
    spoken: spoken.heardCount,
    records: rows[0]?.records ?? 0,
    violations,
  };
}

async function playRound(
  fixture: FaultFixture,
  random: Random,
  plan: ReturnType<typeof planRound>,
): Promise<{ replies: readonly Reply[]; struck: string[]; violations: string[] }> {
  const watch = new BalanceWatch(fixture);
  const load = new Load(fixture, new Random(random.between(0, 2 ** 31)));
  const struck: string[] = [];
  for (const { kind, afterMs } of plan) {
    await sleep(afterMs);
    struck.push(await strike(fixture, kind, random));
  }
  const violations = await untilServing(fixture);
  // The first requests after a loss are those that find the accounts missing.
  await sleep(LOAD_GOES_ON_MS);
  await load.stop();
  violations.push(...(await checkBooks(fixture, load.replies)));
  await watch.stop();
  return { replies: load.replies, struck, violations: [...violations, ...watch.violations] };
}
