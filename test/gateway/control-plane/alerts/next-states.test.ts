import { describe, expect, it } from 'vitest';
import {
  nextStates,
  type AlertState,
} from '../../../../gateway/control-plane/alerts/judges/next-states.ts';

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;

type Verdict = 'true' | 'false' | 'unknown' | 'gone';

/** Judges one channel once a minute, and answers what was told in which minute. */
function tell(verdicts: readonly Verdict[], pace = { forMinutes: 0, cooldownMinutes: 10 }) {
  let states: readonly AlertState[] = [];
  const told: string[] = [];
  for (const [minute, verdict] of verdicts.entries()) {
    const findings =
      verdict === 'gone' ? [] : [{ subject: 'c', name: 'Channel', verdict, value: '3/3' }];
    const nowMs = START_MS + minute * MINUTE_MS;
    const next = nextStates(states, findings, { ...pace, nowMs });
    states = next.states;
    if (next.fired.length > 0) told.push(`fired ${String(minute)}`);
    if (next.resolved.length > 0) told.push(`resolved ${String(minute)}`);
  }
  return { told, states };
}

describe('an alert', () => {
  it('is told once when it begins and once when it is over', () => {
    expect(tell(['false', 'true', 'true', 'true', 'false', 'false']).told).toEqual([
      'fired 1',
      'resolved 4',
    ]);
  });

  it('is not told before it has lasted as long as it must', () => {
    const pace = { forMinutes: 2, cooldownMinutes: 0 };
    expect(tell(['true', 'true', 'false', 'true', 'true', 'true', 'false'], pace).told).toEqual([
      'fired 5',
      'resolved 6',
    ]);
  });

  it('that comes and goes is told once within the cooldown, and again when it still lasts after it', () => {
    const pace = { forMinutes: 0, cooldownMinutes: 5 };
    const verdicts: Verdict[] = ['true', 'false', 'true', 'false', 'true', 'true', 'true'];
    expect(tell(verdicts, pace).told).toEqual(['fired 0', 'resolved 1', 'fired 5']);
  });

  it('is neither told nor over while nothing is known', () => {
    expect(tell(['unknown', 'true', 'unknown', 'unknown', 'false']).told).toEqual([
      'fired 1',
      'resolved 4',
    ]);
    expect(tell(['unknown', 'unknown']).states).toEqual([]);
  });

  it('of a thing that is gone is over', () => {
    expect(tell(['true', 'gone']).told).toEqual(['fired 0', 'resolved 1']);
  });

  it('is forgotten once it is over and the cooldown too', () => {
    const pace = { forMinutes: 0, cooldownMinutes: 2 };
    expect(tell(['true', 'false'], pace).states).toHaveLength(1);
    expect(tell(['true', 'false', 'false'], pace).states).toEqual([]);
  });
});
