import { describe, expect, it } from 'vitest';
import { eitherCaveat, latencyCaveat, replyCaveat } from '../../bench/measure/caveats.ts';
import { verdict, type Figure } from '../../bench/measure/figure.ts';
import { floodFigures, type Round } from '../../bench/scenarios/bad-key-flood.ts';
import { comparisonFigures, type Load } from '../../bench/scenarios/compare-requests.ts';
import { chunkFigure } from '../../bench/scenarios/streams.ts';
import { shortRequest } from '../../bench/requests.ts';
import {
  measured,
  openLoopResult,
  readStreamsResult,
  saturateResult,
  targetOf,
  type Statuses,
} from './support/measurements.ts';

const BROKEN: Statuses = { 0: 10, 200: 990 };

/** The verdict and the note of the one figure among them that has a bar. */
function judged(figures: readonly Figure[]): { verdict: string; note: string | undefined } {
  const [figure, ...more] = figures.filter(({ bar }) => bar !== undefined);
  if (figure === undefined || more.length > 0) throw new Error('There is not one bar.');
  return { verdict: verdict(figure), note: figure.note };
}

describe('a caveat', () => {
  it('is had by replies that are not as expected, broken connections among them', () => {
    expect(replyCaveat([measured(saturateResult())])).toEqual({});
    expect(replyCaveat([measured(saturateResult({ 401: 9 }))], [401, 503])).toEqual({});
    expect(replyCaveat([measured(saturateResult()), measured(saturateResult(BROKEN))])).toEqual({
      note: '1.0 % of the replies were not 200',
      unjudged: true,
    });
  });

  it('is had by what was served and is not in the book', () => {
    const note = '3 served requests are not in the book';
    const lost = { ...measured(openLoopResult()), unrecorded: 3 };
    expect(replyCaveat([measured(openLoopResult()), lost])).toEqual({ note, unjudged: true });
    expect(latencyCaveat([lost])).toEqual({ note, unjudged: true });
  });

  it('is had by latencies that other programs or the driver disturbed', () => {
    const result = openLoopResult();
    const late = { ...result, lateMs: { ...result.lateMs, p99: 6 } };
    expect(latencyCaveat([measured(result)])).toEqual({});
    expect(latencyCaveat([{ ...measured(result), othersShare: 0.2 }])).toMatchObject({
      note: 'other programs used 20.0 % of the machine',
    });
    expect(latencyCaveat([measured(late)])).toMatchObject({
      note: 'the driver itself was late, p99 6.0 ms',
    });
  });

  it('of either side is one of their comparison', () => {
    const bad = { note: 'bad', unjudged: true };
    expect(eitherCaveat({}, {})).toEqual({});
    expect(eitherCaveat(bad, { note: 'worse', unjudged: true })).toEqual(bad);
    expect(eitherCaveat({}, bad)).toEqual({ note: 'the other side: bad', unjudged: true });
  });
});

/** A round in which nothing went wrong. */
function floodRound(): Round {
  const good = measured(openLoopResult());
  return {
    calm: good,
    alongside: good,
    served: openLoopResult(),
    flooded: good,
    refused: openLoopResult({ 401: 990, 503: 10 }),
  };
}

const judgedFlood = (round: Partial<Round>): ReturnType<typeof judged> =>
  judged(floodFigures([{ ...floodRound(), ...round }], 1_000));

describe('a ratio is not judged when its reference was spoilt', () => {
  const spoilt = {
    verdict: 'not judged',
    note: 'the other side: 1.0 % of the replies were not 200',
  };

  it('of requests', () => {
    const cpuBar = { of: 'ratio', kind: 'at_most', limit: 1.5 } as const;
    const load: Load = { target: targetOf('weir'), request: shortRequest(['sk-any']), cpuBar };
    const reference: Load = { target: targetOf('pass-through'), request: load.request };
    const figures = (statuses?: Statuses): Figure[] =>
      comparisonFigures(
        { scenario: 'any', loads: [load], reference },
        new Map([
          [load, [measured(saturateResult())]],
          [reference, [measured(saturateResult(statuses))]],
        ]),
      );
    expect(judged(figures())).toEqual({ verdict: 'met' });
    expect(judged(figures(BROKEN))).toEqual(spoilt);
  });

  it('of streams', () => {
    const figure = (statuses: Statuses, events: number): Figure =>
      chunkFigure(
        'weir',
        5,
        new Map([
          ['weir', [measured(readStreamsResult(8_000, { 200: 1_000 }))]],
          ['pass-through', [measured(readStreamsResult(events, statuses))]],
        ]),
      );
    expect(judged([figure({ 200: 1_000 }, 8_000)])).toEqual({ verdict: 'met' });
    expect(judged([figure(BROKEN, 8_000)])).toEqual(spoilt);
    expect(judged([figure({ 200: 1_000 }, 7_999)])).toMatchObject({
      note: 'the other side: some streams were not whole',
    });
  });

  it('of a flood', () => {
    expect(judgedFlood({})).toEqual({ verdict: 'met' });
    const disturbed = { ...measured(openLoopResult()), othersShare: 0.5 };
    expect(judgedFlood({ calm: disturbed })).toEqual({
      verdict: 'not judged',
      note: 'the other side: other programs used 50.0 % of the machine',
    });
  });
});

describe('the flood of bad keys is judged when it was one', () => {
  const notJudged = (note: string): object => ({ verdict: 'not judged', note });

  it('its keys were refused', () => {
    expect(judgedFlood({ refused: openLoopResult({ 0: 500, 401: 500 }) })).toEqual(
      notJudged('50.0 % of the replies were not 401 or 503'),
    );
  });

  it('it was sent at its rate', () => {
    const { refused } = floodRound();
    const late = { ...refused, lateMs: { ...refused.lateMs, p99: 400 } };
    expect(judgedFlood({ refused: late })).toEqual(
      notJudged('the flood was sent late, p99 400 ms'),
    );
    expect(judgedFlood({ refused: { ...refused, queued: 300 } })).toEqual(
      notJudged('30.0 % of the flood waited for a connection'),
    );
  });
});
