import { median } from '../measure/figure.ts';
import { shortRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

/** A small question and its answer: what the gateway itself costs, with nothing to hide behind. */
export const shortCompletion: Scenario = {
  name: 'short-completion',
  about: 'a small question and its whole answer, closed loop',
  run: async (bench) => {
    const request = shortRequest([bench.ground.keys.hot]);
    const subject = await bench.subject();
    const others = [bench.baseline('nginx'), bench.baseline('portkey')];
    const targets = [subject, bench.passThrough, ...others.filter((found) => found !== undefined)];
    const { figures, measured } = await compareRequests(bench, {
      scenario: 'short-completion',
      loads: targets.map((target) => ({ target, request })),
      cpuBar: { of: 'ratio', kind: 'at_most', limit: 1.5 },
    });
    const rounds = measured.get(subject.name) ?? [];
    bench.saturation = median(rounds.map(({ result }) => result.requestsPerSecond));
    return figures;
  },
};
