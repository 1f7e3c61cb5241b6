import type { Figure } from '../measure/figure.ts';
import { unknownKeys } from '../keys.ts';
import { shortRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

/** A refused request must cost less than a served one, or refusing is a way to bring the service down. */
export const refusals: Scenario = {
  name: 'refusals',
  about: 'bad keys, no balance, rate limited: CPU as a share of a pass-through request',
  run: async (bench) => {
    const { keys } = bench.ground;
    const subject = await bench.subject();
    const served = shortRequest([keys.hot]);
    const half = { of: 'ratio', kind: 'at_most', limit: 0.5 } as const;
    const cheaper = { of: 'ratio', kind: 'at_most', limit: 1 } as const;
    const cases = [
      { label: 'one bad key', keys: unknownKeys(1), expected: [401], cpuBar: half },
      {
        // The queue of lookups is bounded; what does not fit is refused with a 503.
        label: 'bad keys, all different',
        keys: unknownKeys(bench.options.sizes.unknownKeys),
        expected: [401, 503],
        cpuBar: half,
      },
      { label: 'no balance', keys: [keys.poor], expected: [402], cpuBar: cheaper },
      { label: 'rate limited', keys: [keys.limited], expected: [429], cpuBar: cheaper },
    ];
    const figures: Figure[] = [];
    for (const { label, keys: sent, expected, cpuBar } of cases) {
      const compared = await compareRequests(bench, {
        scenario: 'refusals',
        label,
        loads: [
          { target: subject, request: shortRequest(sent), expected },
          { target: bench.passThrough, request: served },
        ],
        cpuBar,
      });
      figures.push(...compared.figures);
    }
    return figures;
  },
};
