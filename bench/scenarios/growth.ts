import { availableParallelism } from 'node:os';
import type { Bench } from '../bench.ts';
import type { RequestShape } from '../load/request-shape.ts';
import { eitherCaveat, type Caveat } from '../measure/caveats.ts';
import { ratioOf, type Figure } from '../measure/figure.ts';
import { manyModels } from '../models.ts';
import { modelsRequest, shortRequest } from '../requests.ts';
import type { Variation } from '../targets/weir.ts';
import { compareRequests } from './compare-requests.ts';
import type { Scenario } from './scenario.ts';

/** Curves are looked at, not judged: only the one over threads has a bar, and gets every round. */
const UNBARRED_ROUNDS_MAX = 3;
/** Besides a gateway's threads: the driver, the upstream, and the stores share one at the least. */
const CORES_BESIDE_THREADS = 2;
const THREADS_BAR = { of: 'ratio', kind: 'at_least', limit: 1.8 } as const;

interface Curve {
  readonly over: string;
  readonly points: readonly number[];
  readonly variation?: (at: number) => Variation;
  readonly request?: (at: number) => RequestShape;
  readonly connections?: (at: number) => number;
}

function curves(bench: Bench): Curve[] {
  const { growth } = bench.options.sizes;
  const { hot, many } = bench.ground.keys;
  return [
    { over: 'connections', points: growth.connections, connections: (at) => at },
    {
      over: 'accounts',
      points: growth.accounts,
      request: (at) => shortRequest(many.slice(0, at)),
    },
    {
      over: 'models',
      points: growth.models,
      request: (at) => modelsRequest([hot], manyModels(at)),
    },
    {
      over: 'threads',
      points: growth.threads,
      variation: (at) => ({ GATEWAY_THREADS: String(at) }),
    },
    {
      over: 'workers',
      points: growth.workers,
      variation: (at) => ({ WORKER_THREADS: String(at) }),
    },
  ];
}

async function runCurve(bench: Bench, curve: Curve): Promise<Figure[]> {
  const figures: Figure[] = [];
  const { sizes } = bench.options;
  const hot = shortRequest([bench.ground.keys.hot]);
  for (const at of curve.points) {
    const subject = await bench.subject(curve.variation?.(at) ?? {});
    const request = curve.request?.(at) ?? hot;
    const label = `${at} ${curve.over}`;
    // Only connections mean anything to the pass-through.
    const reference = { target: bench.passThrough, request, label };
    const targets = curve.connections === undefined ? [subject] : [subject, bench.passThrough];
    await bench.warmUp(targets, hot, 'short');
    if (request !== hot) await bench.warmUp([subject], request, label);
    const compared = await compareRequests(bench, {
      scenario: 'growth',
      loads: [{ target: subject, request, label }],
      ...(curve.connections === undefined ? {} : { reference }),
      rounds: curve.over === 'threads' ? sizes.rounds : Math.min(UNBARRED_ROUNDS_MAX, sizes.rounds),
      connections: curve.connections?.(at) ?? sizes.connections,
      curve: { over: curve.over, at },
    });
    figures.push(...compared.figures);
  }
  return figures;
}

const caveatIn = ({ note, unjudged }: Figure): Caveat => ({
  ...(note === undefined ? {} : { note }),
  ...(unjudged === undefined ? {} : { unjudged }),
});

/** Requests per second with two threads over those with one, when there are cores for both. */
function threadsFigure(figures: readonly Figure[]): Figure[] {
  const at = (threads: number): Figure | undefined =>
    figures.find(
      ({ curve, target, unit }) =>
        curve?.over === 'threads' && curve.at === threads && target === 'weir' && unit === '/s',
    );
  const [one, two] = [at(1), at(2)];
  if (one === undefined || two === undefined) return [];
  const cores = availableParallelism();
  const figure: Figure = {
    scenario: 'growth',
    name: 'requests at saturation, two threads over one',
    target: 'weir',
    unit: '/s',
    rounds: two.rounds,
    against: { target: 'weir', rounds: one.rounds },
    bar: THREADS_BAR,
    ...eitherCaveat(caveatIn(two), caveatIn(one)),
  };
  if (cores >= 2 + CORES_BESIDE_THREADS) return [figure];
  const note = `${cores} cores are shared with the load and the stores: two threads have no free cores`;
  return ratioOf(figure) === undefined ? [] : [{ ...figure, note, unjudged: true }];
}

/**
 * Measures how cost and speed grow: every curve should be flat but those over threads and
 * connections.
 */
export const growth: Scenario = {
  name: 'growth',
  about: 'curves over connections, accounts, models, threads and workers',
  run: async (bench) => {
    const figures: Figure[] = [];
    for (const curve of curves(bench)) figures.push(...(await runCurve(bench, curve)));
    return [...figures, ...threadsFigure(figures)];
  },
};
