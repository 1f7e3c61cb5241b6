import { forTarget, type Bench } from '../bench.ts';
import type { RequestShape } from '../load/request-shape.ts';
import type { SaturateResult } from '../load/saturate.ts';
import { eitherCaveat, replyCaveat, type Caveat } from '../measure/caveats.ts';
import type { Bar, Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import type { Target } from '../targets/target.ts';

type Saturation = Measurement<SaturateResult>;

/** The requests to one target, and the expected replies. */
export interface Load {
  readonly target: Target;
  readonly request: RequestShape;
  /** Goes into the figures' names when a scenario compares several things. */
  readonly label?: string;
  /** Statuses that a right answer has; 200 when absent. */
  readonly expected?: readonly number[];
  readonly cpuBar?: Bar;
}

export interface Comparison {
  readonly scenario: string;
  readonly loads: readonly Load[];
  /** The reference of ratios; none are made when absent. */
  readonly reference?: Load;
  readonly rounds?: number;
  readonly connections?: number;
  readonly curve?: Figure['curve'];
}

/** The result of a comparison: figures for the table, and each load's measurements. */
export interface Compared {
  readonly figures: Figure[];
  readonly measured: ReadonlyMap<Load, readonly Saturation[]>;
}

interface Kind {
  readonly name: string;
  readonly unit: string;
  readonly read: (measurement: Saturation) => number;
}

const KINDS: readonly Kind[] = [
  {
    name: 'requests at saturation',
    unit: '/s',
    read: ({ result }) => result.requestsPerSecond,
  },
  { name: 'CPU per request', unit: 'us', read: ({ cpuUs, result }) => cpuUs / result.requests },
];

/**
 * Saturates targets in turn with a request each; answers requests per second and CPU per request.
 */
export async function compareRequests(bench: Bench, comparison: Comparison): Promise<Compared> {
  const { scenario, reference, curve } = comparison;
  const { seconds, rounds, connections, saturatingRequests } = bench.options.sizes;
  const loads = reference === undefined ? comparison.loads : [...comparison.loads, reference];
  const lanes = loads.map((load) => ({
    name: `${load.target.name} ${load.label ?? ''}`,
    target: load.target,
    order: {
      kind: 'saturate' as const,
      destination: load.target.destination,
      request: forTarget(load.request, load.target),
      connections: comparison.connections ?? connections,
      seconds,
      ...(saturatingRequests === null ? {} : { requests: saturatingRequests }),
    },
  }));
  const byLane = await bench.takeTurns(
    lanes,
    { scenario, ...(curve ?? {}) },
    comparison.rounds ?? rounds,
  );
  const measured = new Map(
    loads.map((load, index) => [load, byLane.get(lanes[index]?.name ?? '') ?? []]),
  );
  return { figures: comparisonFigures(comparison, measured), measured };
}

/** The figures of every load and of the reference; a ratio is as sound as both of its sides. */
export function comparisonFigures(
  { scenario, loads, reference, curve }: Comparison,
  measured: Compared['measured'],
): Figure[] {
  const found = (load: Load): readonly Saturation[] => measured.get(load) ?? [];
  const caveat = (load: Load): Caveat => replyCaveat(found(load), load.expected);
  const figuresOf = (load: Load, against?: Load): Figure[] =>
    KINDS.map(({ name, unit, read }): Figure => ({
      scenario,
      name: load.label === undefined ? name : `${name}, ${load.label}`,
      target: load.target.name,
      unit,
      rounds: found(load).map(read),
      ...(against === undefined
        ? {}
        : { against: { target: against.target.name, rounds: found(against).map(read) } }),
      ...(unit === 'us' && load.cpuBar !== undefined ? { bar: load.cpuBar } : {}),
      ...(curve === undefined ? {} : { curve }),
      ...(against === undefined ? caveat(load) : eitherCaveat(caveat(load), caveat(against))),
    }));
  return [
    ...loads.flatMap((load) => figuresOf(load, reference)),
    ...(reference === undefined ? [] : figuresOf(reference)),
  ];
}
