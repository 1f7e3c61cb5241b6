import { unknownKeys } from '../keys.ts';
import { shortRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

const HALF = { of: 'ratio', kind: 'at_most', limit: 0.5 } as const;
/** A refusal that asks the ledger cannot be as cheap, but never more expensive than to serve. */
const CHEAPER = { of: 'ratio', kind: 'at_most', limit: 1 } as const;

/**
 * A refused request must cost less than a served one, or refusing is a way to bring the service
 * down.
 */
export const refusals: Scenario = {
  name: 'refusals',
  about: 'bad keys, no balance, rate limited: CPU as a share of a pass-through request',
  run: async (bench) => {
    const { hot, limited, poor } = bench.ground.keys;
    const { unknownKeys: unknownCount } = bench.options.sizes;
    const subject = await bench.subject();
    const served = shortRequest([hot]);
    await bench.warmUp([subject, bench.passThrough], served, 'short');
    // Its one request of this minute is used up before it is measured.
    await bench.warmUp([subject], shortRequest([limited]), 'limited');
    const cases = [
      { label: 'one bad key', keys: unknownKeys(1), expected: [401], cpuBar: HALF },
      {
        // Known to be wrong by their check letters. If they were looked up, what does not fit into
        // the queue would get a 503.
        label: 'bad keys, all different',
        keys: unknownKeys(unknownCount),
        expected: [401, 503],
        cpuBar: HALF,
      },
      { label: 'no balance', keys: [poor], expected: [402], cpuBar: CHEAPER },
      { label: 'rate limited', keys: [limited], expected: [429], cpuBar: CHEAPER },
    ];
    const { figures } = await compareRequests(bench, {
      scenario: 'refusals',
      loads: cases.map(({ keys, ...load }) => ({
        ...load,
        target: subject,
        request: shortRequest(keys),
      })),
      reference: { target: bench.passThrough, request: served, label: 'served' },
    });
    return figures;
  },
};
