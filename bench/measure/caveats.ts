import type { OpenLoopResult } from '../load/open-loop.ts';
import { median, type Figure } from './figure.ts';
import { unexpectedShare, type Measurement } from './measurement.ts';

/** More replies of the wrong kind than this, and a figure is of something else. */
const UNEXPECTED_SHARE_MAX = 0.001;
/**
 * Beyond this share of the machine, other programs are part of every latency. CPU time hardly
 * notices them.
 */
const OTHERS_SHARE_MAX = 0.1;
/**
 * A driver that is later than this at its own work, p99, measures itself: latencies count from when
 * requests were due, so that its lateness is in both sides of a difference and could decide the
 * tightest bar on one, 2 ms.
 */
const DRIVER_LATE_MS_MAX = 2;
/**
 * A flood may come in small bursts where cores are few; later than this, it was not what it is
 * called for a part of its time.
 */
const FLOOD_LATE_MS_MAX = 50;

interface Replies {
  readonly statuses: Readonly<Record<number, number>>;
}

type Judged = Pick<Measurement<Replies>, 'result' | 'unrecorded'>;

/** A note on a figure, and whether its bar can still be judged. */
export type Caveat = Pick<Figure, 'note' | 'unjudged'>;

/**
 * Returns the caveat of either side of a comparison. Each is judged by itself: a reference that
 * was disturbed or answered wrongly makes a bar easy, and its rounds would be outvoted if both
 * sides were put together.
 */
export function eitherCaveat(own: Caveat, other: Caveat): Caveat {
  if (own.note !== undefined || other.note === undefined) return own;
  return { ...other, note: `the other side: ${other.note}` };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/**
 * Returns the fault of the replies behind a figure, or of their processing; nothing if all were as
 * expected.
 */
export function replyCaveat(
  measured: readonly Judged[],
  expected: readonly number[] = [200],
): Caveat {
  const share = Math.max(
    ...measured.map(({ result }) => unexpectedShare(result.statuses, expected)),
  );
  if (share > UNEXPECTED_SHARE_MAX) {
    return {
      note: `${percent(share)} of the replies were not ${expected.join(' or ')}`,
      unjudged: true,
    };
  }
  const unrecorded = Math.max(...measured.map((one) => one.unrecorded));
  if (unrecorded === 0) return {};
  return { note: `${unrecorded} served requests are not in the book`, unjudged: true };
}

/**
 * Returns the reason why a load was less than intended while others were measured alongside it;
 * nothing if it was not.
 */
export function floodCaveat(
  floods: readonly OpenLoopResult[],
  expected: readonly number[],
): Caveat {
  const replies = replyCaveat(
    floods.map((result) => ({ result, unrecorded: 0 })),
    expected,
  );
  if (replies.note !== undefined) return replies;
  const queued = median(floods.map((flood) => flood.queued / flood.sent));
  if (queued > UNEXPECTED_SHARE_MAX) {
    return { note: `${percent(queued)} of the flood waited for a connection`, unjudged: true };
  }
  const late = median(floods.map(({ lateMs }) => lateMs.p99));
  if (late > FLOOD_LATE_MS_MAX) {
    return { note: `the flood was sent late, p99 ${late.toFixed(0)} ms`, unjudged: true };
  }
  return {};
}

/**
 * Returns the reason why a latency says more about the machine than about the gateway; nothing if
 * it does not.
 */
export function latencyCaveat(
  measured: readonly Measurement<Replies & { readonly lateMs: { readonly p99: number } }>[],
): Caveat {
  const replies = replyCaveat(measured);
  if (replies.note !== undefined) return replies;
  const others = median(measured.map(({ othersShare }) => othersShare));
  if (others > OTHERS_SHARE_MAX) {
    return { note: `other programs used ${percent(others)} of the machine`, unjudged: true };
  }
  const late = median(measured.map(({ result }) => result.lateMs.p99));
  if (late > DRIVER_LATE_MS_MAX) {
    return { note: `the driver itself was late, p99 ${late.toFixed(1)} ms`, unjudged: true };
  }
  return {};
}
