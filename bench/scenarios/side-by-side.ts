import { forTarget, type Bench } from '../bench.ts';
import type { LoadOrder, LoadResults } from '../load/orders.ts';
import { eitherCaveat, replyCaveat } from '../measure/caveats.ts';
import type { Figure } from '../measure/figure.ts';
import { streamModel } from '../models.ts';
import { agentMessagesRequest, agentRequest, shortRequest, streamRequest } from '../requests.ts';
import type { Target } from '../targets/target.ts';
import { openLoopOrder } from './open-loop-order.ts';
import type { Scenario } from './scenario.ts';

/** Requests per second of each side: two cores carry both and their stores. */
const SHORT_PER_SECOND = 1_500;
const AGENT_PER_SECOND = 600;
const TRANSLATED_PER_SECOND = 150;

interface SideBySide<Order extends LoadOrder> {
  readonly name: string;
  readonly orderFor: (target: Target) => Order;
  /** The count by which CPU time is divided. */
  readonly count: (result: LoadResults[Order['kind']]) => number;
}

/** Runs one load on both targets at the same time, round by round. */
async function compare<Order extends LoadOrder & { readonly kind: 'open_loop' | 'read_streams' }>(
  bench: Bench,
  [subject, other]: readonly [Target, Target],
  { name, orderFor, count }: SideBySide<Order>,
): Promise<Figure> {
  const own = [];
  const others = [];
  for (let round = 0; round < bench.options.sizes.rounds; round += 1) {
    const tags = { scenario: 'side-by-side', round, figure: name };
    const [one, two] = await bench.measureTogether(
      { target: subject, order: orderFor(subject) },
      { target: other, order: orderFor(other) },
      tags,
    );
    own.push(one);
    others.push(two);
  }
  return {
    scenario: 'side-by-side',
    name,
    target: subject.name,
    unit: 'us',
    rounds: own.map(({ cpuUs, result }) => cpuUs / count(result)),
    against: {
      target: other.name,
      rounds: others.map(({ cpuUs, result }) => cpuUs / count(result)),
    },
    ...eitherCaveat(replyCaveat(own), replyCaveat(others)),
  };
}

/**
 * CPU time of the gateway and of another one under the same load at the same time, well below
 * saturation. What makes the machine slower for a while makes both slower, so that ratios repeat to
 * a few hundredths where turns repeat to a tenth.
 */
export const sideBySide: Scenario = {
  name: 'side-by-side',
  about: 'the same load on two gateways at once: CPU against the base, or the pass-through',
  run: async (bench) => {
    const { sizes, rate } = bench.options;
    const keys = [bench.ground.keys.hot];
    const [base] = bench.baselines('base');
    const targets = [await bench.subject(), base ?? bench.passThrough] as const;
    const figures: Figure[] = [];
    // The pass-through translates nothing: only another Weir can be compared.
    const translated =
      base === undefined
        ? []
        : [
            {
              kind: 'translated',
              name: 'translated request of an agent',
              request: agentMessagesRequest(keys, sizes.agentTurns),
              perSecond: TRANSLATED_PER_SECOND,
            },
          ];
    const requests = [
      {
        kind: 'short',
        name: 'short request',
        request: shortRequest(keys),
        perSecond: SHORT_PER_SECOND,
      },
      {
        kind: 'agent',
        name: 'request of an agent',
        request: agentRequest(keys, sizes.agentTurns),
        perSecond: AGENT_PER_SECOND,
      },
      ...translated,
    ];
    for (const { kind, name, request, perSecond } of requests) {
      await bench.warmUp(targets, request, kind);
      const load = { request, ratePerSecond: rate ?? perSecond };
      figures.push(
        await compare(bench, targets, {
          name: `CPU per ${name}`,
          orderFor: (target) => openLoopOrder(bench, target, load),
          count: ({ sent }) => sent,
        }),
      );
    }
    for (const chunks of sizes.streamChunks) {
      const request = streamRequest(keys, streamModel(chunks, sizes));
      await bench.warmUpStreams(targets, request);
      figures.push(
        await compare(bench, targets, {
          name: `CPU per chunk, streams of ${chunks}`,
          orderFor: (target) => ({
            kind: 'read_streams' as const,
            destination: target.destination,
            request: forTarget(request, target),
            connections: sizes.streamsOpen / 2,
            seconds: sizes.seconds,
          }),
          count: ({ events }) => events,
        }),
      );
    }
    return figures;
  },
};
