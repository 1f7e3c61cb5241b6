import type { ChannelSort } from '@weir/shared/catalog/channel-lists';
import type {
  ChannelFailureView,
  ChannelTestView,
  ChannelView,
} from '@weir/shared/catalog/channels';
import {
  FAILURES_COUNTED_MAX,
  NO_OUTCOMES,
  type ChannelOutcomes,
} from '../../data-plane/routing/health/channel-outcomes.ts';
import { cleanMessage, upstreamMessage } from '../../request-history/upstream-message.ts';
import type { ChannelStatus } from '../admin-deps.ts';

type Health = ChannelView['health'];

/** Returns the health of a channel by its last requests and its last test. */
export function channelHealth(
  channelId: string,
  statuses: readonly ChannelStatus[],
  lastTest: TestRow | null,
): Health {
  const status = statuses.find((known) => known.channelId === channelId);
  const outcomes = status?.outcomes ?? NO_OUTCOMES;
  const failure = latestFailure(outcomes, lastTest);
  return {
    state: stateOf(status, failure, lastTest),
    retryAt: status?.retryAtMs == null ? null : new Date(status.retryAtMs).toISOString(),
    failure,
    limitedModels: (status?.limitedModels ?? []).map(({ upstreamModel, untilMs, reason }) => ({
      upstreamName: upstreamModel,
      until: new Date(untilMs).toISOString(),
      reason,
    })),
    lastTest: lastTest === null ? null : testView(lastTest),
  };
}

function stateOf(
  status: ChannelStatus | undefined,
  failure: ChannelFailureView | null,
  lastTest: TestRow | null,
): Health['state'] {
  if (status !== undefined && status.state !== 'closed') return status.state;
  if (failure !== null) return 'failing';
  const hasWorked = lastTest !== null || (status?.outcomes.lastSuccessAtMs ?? null) !== null;
  return hasWorked ? 'healthy' : 'unknown';
}

/** A test has masked the credential already, and its prompt is Weir's own. */
const UNSPEAKABLE = { credential: null, body: Buffer.alloc(0) };

/**
 * Returns the latest failure that nothing has disproved. Only a request that succeeds takes the
 * failures of requests away: a test asks for one model with a prompt of its own, and may pass while
 * customers fail.
 */
function latestFailure(
  { lastSuccessAtMs, failedAtMs, lastFailure }: ChannelOutcomes,
  lastTest: TestRow | null,
): ChannelFailureView | null {
  const testedAtMs = lastTest === null ? 0 : new Date(lastTest.createdAt).getTime();
  const failedTest =
    lastTest?.ok === false && testedAtMs >= (lastSuccessAtMs ?? 0) ? lastTest : null;
  const requestFailedAtMs = failedAtMs.at(-1) ?? 0;
  const inRow = Math.min(failedAtMs.length + (failedTest === null ? 0 : 1), FAILURES_COUNTED_MAX);
  if (failedTest !== null && testedAtMs >= requestFailedAtMs) {
    const { httpStatus, error } = failedTest;
    const body = Buffer.from(error ?? '');
    const words = upstreamMessage(httpStatus, body, UNSPEAKABLE) ?? cleanMessage(error ?? '');
    const message = words ?? '';
    return { inRow, at: new Date(testedAtMs).toISOString(), httpStatus, message };
  }
  if (lastFailure === null) return null;
  return { inRow, at: new Date(requestFailedAtMs).toISOString(), ...lastFailure };
}

/** The stored result of a test of a channel. */
export interface TestRow {
  readonly id: string;
  readonly ok: boolean;
  readonly upstreamName: string;
  readonly latencyMs: number;
  readonly httpStatus: number | null;
  readonly reply: string | null;
  readonly error: string | null;
  readonly createdAt: string | Date;
}

export function testView(row: TestRow): ChannelTestView {
  return { ...row, createdAt: new Date(row.createdAt).toISOString() };
}

const WORST_FIRST: readonly ChannelView['health']['state'][] = [
  'failing',
  'open',
  'half_open',
  'unknown',
  'healthy',
];
const DISABLED_RANK = WORST_FIRST.length;

function rank({ status, health }: ChannelView): number {
  return status === 'disabled' ? DISABLED_RANK : WORST_FIRST.indexOf(health.state);
}

/**
 * Sorts by what only the processes know; `health` begins with the worst. Equal channels keep their
 * order, and any other sort leaves it as it is.
 */
export function sortByHealth(
  channels: readonly ChannelView[],
  sort: ChannelSort | undefined,
): ChannelView[] {
  if (sort !== 'health' && sort !== '-health') return [...channels];
  const sign = sort === 'health' ? 1 : -1;
  return channels.toSorted((one, other) => sign * (rank(one) - rank(other)));
}
