import { shortRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

/**
 * One customer or ten thousand: nothing on the request path may grow with the number of accounts.
 */
export const manyAccounts: Scenario = {
  name: 'many-accounts',
  about: 'one hot account alongside thousands in turn',
  run: async (bench) => {
    const { hot, many } = bench.ground.keys;
    const subject = await bench.subject();
    const targets = [subject, bench.passThrough];
    await bench.warmUp(targets, shortRequest([hot]), 'short');
    await bench.warmUp(targets, shortRequest(many), 'accounts');
    const { figures } = await compareRequests(bench, {
      scenario: 'many-accounts',
      loads: [
        { target: subject, request: shortRequest(many), label: `${many.length} accounts` },
        { target: subject, request: shortRequest([hot]), label: 'one account' },
      ],
      reference: { target: bench.passThrough, request: shortRequest(many), label: 'any account' },
    });
    return figures;
  },
};
