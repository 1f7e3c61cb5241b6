import type { SaturateResult } from '../load/saturate.ts';
import { median, type Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { shortRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

type Measured = Measurement<SaturateResult>;

const BAR = { of: 'ratio', kind: 'at_most', limit: 1.5 } as const;

/** A small question and its answer: what the gateway itself costs, with nothing to hide behind. */
export const shortCompletion: Scenario = {
  name: 'short-completion',
  about: 'a small question and its whole answer, closed loop',
  run: async (bench) => {
    const request = shortRequest([bench.ground.keys.hot]);
    const subject = await bench.subject();
    const others = bench.baselines('base', 'metered', 'nginx', 'portkey');
    await bench.warmUp([subject, bench.passThrough, ...others], request, 'short');
    const load = { target: subject, request, cpuBar: BAR };
    const { figures, measured } = await compareRequests(bench, {
      scenario: 'short-completion',
      loads: [load, ...others.map((target) => ({ target, request }))],
      reference: { target: bench.passThrough, request },
    });
    const rounds = measured.get(load) ?? [];
    bench.saturation = median(rounds.map(({ result }) => result.requestsPerSecond));
    const own = { scenario: 'short-completion', target: subject.name } as const;
    const per = (name: string, unit: string, read: (one: Measured) => number): Figure => ({
      ...own,
      name,
      unit,
      rounds: rounds.map((one) => read(one) / one.result.requests),
    });
    return [
      ...figures,
      per('of it while requests are served', 'us', ({ cpuDuringUs }) => cpuDuringUs),
      per('CPU of Redis per request', 'us', ({ aroundUs }) => aroundUs['redis'] ?? 0),
      per('CPU of PostgreSQL per request', 'us', ({ aroundUs }) => aroundUs['postgres'] ?? 0),
      per('Redis scripts per request', '', ({ redisScripts }) => redisScripts),
      {
        ...own,
        name: 'until all of it is in the book, after the load',
        unit: 'ms',
        rounds: rounds.map(({ bookedAfterMs }) => bookedAfterMs),
      },
      {
        ...own,
        name: 'cores in use by the gateway at saturation',
        unit: '',
        rounds: rounds.map(({ busyUsPerSecond }) => busyUsPerSecond / 1_000_000),
      },
      {
        ...own,
        name: 'CPU of the idle gateway',
        unit: 'us/s',
        rounds: [await bench.idle(subject)],
      },
    ];
  },
};
