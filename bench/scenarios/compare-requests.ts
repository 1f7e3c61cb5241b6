import { forTarget, type Bench } from '../bench.ts';
import type { SaturateResult } from '../load/saturate.ts';
import type { RequestShape } from '../load/request-shape.ts';
import type { Bar, Figure } from '../measure/figure.ts';
import { interleave } from '../measure/interleave.ts';
import type { Measurement } from '../measure/measurement.ts';
import { replyCaveat } from '../measure/caveats.ts';
import type { Target, TargetName } from '../targets/target.ts';

type Saturation = Measurement<SaturateResult>;

/** What one target is sent, and what it should answer. */
export interface Load {
  readonly target: Target;
  readonly request: RequestShape;
  /** Statuses that a right answer has; 200 when absent. */
  readonly expected?: readonly number[];
}

export interface Comparison {
  readonly scenario: string;
  /** Goes into the figures' names when a scenario compares several things. */
  readonly label?: string;
  /** The first is what the bar is about, the second what its ratio is against. */
  readonly loads: readonly Load[];
  readonly rounds?: number;
  readonly connections?: number;
  readonly cpuBar?: Bar;
  readonly curve?: Figure['curve'];
}

/** What a comparison found: figures for the table, and the measurements they come from. */
export interface Compared {
  readonly figures: Figure[];
  readonly measured: ReadonlyMap<TargetName, readonly Saturation[]>;
}

const requestsPerSecond = ({ result }: Saturation): number => result.requestsPerSecond;
const cpuUsPerRequest = ({ cpuUs, result }: Saturation): number => cpuUs / result.requests;

/** Saturates the targets in turn with a request each; answers requests per second and CPU per request. */
export async function compareRequests(bench: Bench, comparison: Comparison): Promise<Compared> {
  const { scenario, label, loads, cpuBar, curve } = comparison;
  const { sizes } = bench.options;
  const connections = comparison.connections ?? sizes.connections;
  const loadOf = new Map(loads.map((load) => [load.target, load]));
  for (const { target, request } of loads) {
    await bench.warmUp(target, request, `${scenario} ${label ?? ''}`);
  }
  const measured = await interleave(
    loads.map(({ target }) => target),
    comparison.rounds ?? sizes.rounds,
    async (target, round) => {
      const load = loadOf.get(target);
      if (load === undefined) throw new Error('Every target has a load.');
      return bench.measure(
        target,
        {
          kind: 'saturate',
          destination: target.destination,
          request: forTarget(load.request, target),
          connections,
          seconds: sizes.seconds,
        },
        { scenario, round, ...(label === undefined ? {} : { label }), ...(curve ?? {}) },
      );
    },
  );
  const reference = loads[1]?.target.name;
  const figures = loads.flatMap((load, index): Figure[] => {
    const rounds = measured.get(load.target.name) ?? [];
    const common = {
      scenario,
      target: load.target.name,
      ...replyCaveat(rounds, load.expected),
      ...(curve === undefined ? {} : { curve }),
    };
    const suffix = label === undefined ? '' : `, ${label}`;
    const against = (read: (measurement: Saturation) => number): Partial<Figure> =>
      reference === undefined || load.target.name === reference
        ? {}
        : { against: { target: reference, rounds: (measured.get(reference) ?? []).map(read) } };
    return [
      {
        ...common,
        ...against(requestsPerSecond),
        name: `requests at saturation${suffix}`,
        unit: '/s',
        rounds: rounds.map(requestsPerSecond),
      },
      {
        ...common,
        ...against(cpuUsPerRequest),
        name: `CPU per request${suffix}`,
        unit: 'us',
        rounds: rounds.map(cpuUsPerRequest),
        ...(index === 0 && cpuBar !== undefined ? { bar: cpuBar } : {}),
      },
    ];
  });
  return { figures, measured };
}
