import { agentRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

/** Requests of coding agents: 200 kB of history and tools for each small step. */
export const agentSize: Scenario = {
  name: 'agent-size',
  about: 'requests of 200 kB with tools',
  run: async (bench) => {
    const request = agentRequest([bench.ground.keys.hot], bench.options.sizes.agentTurns);
    const others = [bench.baseline('nginx'), bench.baseline('portkey')];
    const targets = [
      await bench.subject(),
      bench.passThrough,
      ...others.filter((found) => found !== undefined),
    ];
    const { figures } = await compareRequests(bench, {
      scenario: 'agent-size',
      label: `${Math.round(Buffer.byteLength(request.bodies[0] ?? '') / 1000)} kB`,
      loads: targets.map((target) => ({ target, request })),
      cpuBar: { of: 'ratio', kind: 'at_most', limit: 1.6 },
    });
    return figures;
  },
};
