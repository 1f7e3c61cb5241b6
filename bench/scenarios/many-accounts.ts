import { shortRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

/** One customer or ten thousand: nothing on the request path may grow with the number of accounts. */
export const manyAccounts: Scenario = {
  name: 'many-accounts',
  about: 'the short completion from thousands of accounts in turn',
  run: async (bench) => {
    const { keys } = bench.ground;
    const subject = await bench.subject();
    const { figures } = await compareRequests(bench, {
      scenario: 'many-accounts',
      label: `${keys.many.length} accounts`,
      loads: [
        { target: subject, request: shortRequest(keys.many) },
        { target: bench.passThrough, request: shortRequest(keys.many) },
      ],
    });
    return figures;
  },
};
