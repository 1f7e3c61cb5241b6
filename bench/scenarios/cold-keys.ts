import { shortRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

/** The smallest cache there is: of thousands of keys in turn, none is found in it. */
const NO_CACHE = { KEY_CACHE_ENTRIES_MAX: '16' };

/** Measures a key that no thread remembers: the first minute after a start. */
export const coldKeys: Scenario = {
  name: 'cold-keys',
  about: 'every request with a key that must be looked up',
  run: async (bench) => {
    const request = shortRequest(bench.ground.keys.many);
    const subject = await bench.subject(NO_CACHE);
    await bench.warmUp([subject, bench.passThrough], request, 'accounts');
    const { figures } = await compareRequests(bench, {
      scenario: 'cold-keys',
      loads: [{ target: subject, request, label: 'key looked up', expected: [200, 503] }],
      reference: { target: bench.passThrough, request },
    });
    return figures;
  },
};
