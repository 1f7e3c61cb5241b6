import { shortRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

/** The smallest cache there is: of thousands of keys in turn, none is found in it. */
const NO_CACHE = { KEY_CACHE_ENTRIES_MAX: '16' };

/** What a key costs that no thread remembers: the first minute after a start. */
export const coldKeys: Scenario = {
  name: 'cold-keys',
  about: 'every request with a key that must be looked up',
  run: async (bench) => {
    const { many } = bench.ground.keys;
    const subject = await bench.subject(NO_CACHE);
    const { figures } = await compareRequests(bench, {
      scenario: 'cold-keys',
      loads: [
        { target: subject, request: shortRequest(many), expected: [200, 503] },
        { target: bench.passThrough, request: shortRequest(many) },
      ],
    });
    return figures;
  },
};
