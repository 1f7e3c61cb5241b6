import { setTimeout as sleep } from 'node:timers/promises';
import { reconcileRecords } from '../../gateway/ledger/reconcile/reconcile-postgres.ts';
import { accountIdsOf, type FaultFixture } from './fault-fixture.ts';
import type { Reply } from './load.ts';
import { HANG_MS } from '../support/clocks/hang.ts';

const LOOK_EVERY_MS = 100;
/** Examples in a message. */
const SHOWN_MAX = 5;

interface BookedRow {
  readonly requestId: string;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  /** The upstream's numbers were not taken as they were. */
  readonly corrected: boolean;
}

/**
 * Waits until all is booked and nothing is held, then looks at everything there is. Answers what is
 * wrong.
 */
export async function checkBooks(
  fixture: FaultFixture,
  replies: readonly Reply[],
): Promise<readonly string[]> {
  const unrest = await untilCalm(fixture, replies);
  return [
    ...unrest,
    ...(await untilAgreed(fixture)),
    ...(await findTwice(fixture)),
    ...(await compareReplies(fixture, replies)),
  ];
}

/** Returns those of the requests that have no usage record. */
export async function findMissing(
  { pool }: FaultFixture,
  requestIds: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from unnest($1::uuid[]) id
     where not exists (select from usage_records r where r.request_id = id)`,
    [requestIds],
  );
  return rows.map(({ id }) => id);
}

async function untilCalm(fixture: FaultFixture, replies: readonly Reply[]): Promise<string[]> {
  const finished = replies.filter(({ fate }) => fate === 'finished');
  const ids = finished.map(({ requestId }) => requestId);
  const deadlineMs = Date.now() + HANG_MS;
  for (;;) {
    const unrest = await look(fixture, ids).catch((error: unknown) => [
      `no look: ${String(error)}`,
    ]);
    if (unrest.length === 0 || Date.now() > deadlineMs) return unrest;
    await sleep(LOOK_EVERY_MS);
  }
}

async function look(fixture: FaultFixture, finishedIds: readonly string[]): Promise<string[]> {
  const unrest: string[] = [];
  const waiting = await fixture.ledger.waiting();
  if (waiting > 0) unrest.push(`${waiting} entries of the usage streams are not in the book`);
  for (const [id, funds] of await fixture.ledger.funds(accountIdsOf(fixture))) {
    if (funds.held !== 0 || funds.inFlight !== 0) {
      unrest.push(`I4: account ${id} holds ${funds.held} for ${funds.inFlight} requests`);
    }
  }
  if (unrest.length > 0) return unrest;
  const missing = await findMissing(fixture, finishedIds);
  const { media, pool } = fixture;
  if (missing.length === 0) return media.spoken.compare(pool, media.speaker.id);
  return [`${missing.length} replies got in full are not billed: ${some(missing)}`];
}

/**
 * Usage that Redis had lost is charged by a credit, which the change feed brings into the ledger.
 * On a busy machine that takes longer than a comparison waits, so it is repeated. Returns what
 * differs for good.
 */
async function untilAgreed(fixture: FaultFixture): Promise<string[]> {
  const deadlineMs = Date.now() + HANG_MS;
  for (;;) {
    const records = await reconcileRecords(fixture.pool);
    const differences = [
      ...records.map((difference) => `reconcile: ${JSON.stringify(difference)}`),
      ...(await fixture.ledger.compare()),
    ];
    if (differences.length === 0 || Date.now() > deadlineMs) return differences;
    await sleep(LOOK_EVERY_MS);
  }
}

async function findTwice({ pool }: FaultFixture): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'select request_id as id from usage_records group by request_id having count(*) > 1',
  );
  return rows.map(({ id }) => `I3: request ${id} is billed more than once`);
}

/** Checks that refused requests are not billed, and others as their replies say. */
async function compareReplies(
  { pool }: FaultFixture,
  replies: readonly Reply[],
): Promise<string[]> {
  const { rows } = await pool.query<BookedRow>(
    `select request_id as "requestId", input_tokens as input, output_tokens as output, cost_nano_usd as cost,
            estimated or capped as corrected
     from usage_records where request_id = any($1)`,
    [replies.map(({ requestId }) => requestId)],
  );
  const booked = new Map(rows.map((row) => [row.requestId, row]));
  return replies.flatMap(({ requestId, fate, status, tokens, costNanoUsd }) => {
    const bill = booked.get(requestId);
    if (bill === undefined) return [];
    if (fate === 'refused') return [`request ${requestId} was refused (${status}) and is billed`];
    if (costNanoUsd !== undefined && !bill.corrected && bill.cost !== costNanoUsd) {
      return [`request ${requestId}: made for ${costNanoUsd}, billed ${bill.cost}`];
    }
    if (tokens === undefined || bill.corrected) return [];
    if (bill.input === tokens.input && bill.output === tokens.output) return [];
    const inReply = `${tokens.input} and ${tokens.output}`;
    return [`request ${requestId}: ${inReply} tokens, billed ${bill.input} and ${bill.output}`];
  });
}

function some(ids: readonly string[]): string {
  const more = ids.length > SHOWN_MAX ? ' …' : '';
  return `${ids.slice(0, SHOWN_MAX).join(', ')}${more}`;
}
