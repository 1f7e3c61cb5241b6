import { agentRequest } from '../requests.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

const BAR = { of: 'ratio', kind: 'at_most', limit: 1.6 } as const;

/** Requests of coding agents: 200 kB of history and tools for each small step. */
export const agentSize: Scenario = {
  name: 'agent-size',
  about: 'requests of 200 kB with tools',
  run: async (bench) => {
    const request = agentRequest([bench.ground.keys.hot], bench.options.sizes.agentTurns);
    const subject = await bench.subject();
    const others = bench.baselines('base', 'nginx', 'portkey');
    await bench.warmUp([subject, bench.passThrough, ...others], request, 'agent');
    const label = `${Math.round(Buffer.byteLength(request.bodies[0] ?? '') / 1000)} kB`;
    const { figures } = await compareRequests(bench, {
      scenario: 'agent-size',
      loads: [
        { target: subject, request, label, cpuBar: BAR },
        ...others.map((target) => ({ target, request, label })),
      ],
      reference: { target: bench.passThrough, request, label },
    });
    return figures;
  },
};
