import type { ReadStreamsResult } from '../load/read-streams.ts';
import { forTarget } from '../bench.ts';
import { replyCaveat, type Caveat } from '../measure/caveats.ts';
import { costFigure } from '../measure/cost-figure.ts';
import type { Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { streamModel } from '../models.ts';
import { streamRequest } from '../requests.ts';
import type { TargetName } from '../targets/target.ts';
import type { Scenario } from './scenario.ts';

const BAR = { of: 'ratio', kind: 'at_most', limit: 1.3 } as const;
/** Events besides the content chunks: the role, the finish and `[DONE]`. */
const OTHER_EVENTS = 3;

type Streams = Measurement<ReadStreamsResult>;

/** True when every stream came whole: as many events as the upstream sends. */
function isWhole({ result }: Streams, chunks: number): boolean {
  return result.events === result.streams * (chunks + OTHER_EVENTS);
}

function streamCaveat(measured: readonly Streams[], chunks: number): Caveat {
  if (measured.every((one) => isWhole(one, chunks))) return replyCaveat(measured);
  return { note: 'some streams were not whole', unjudged: true };
}

/** Returns the cost of a chunk at one target. */
export function chunkFigure(
  target: TargetName,
  chunks: number,
  measured: ReadonlyMap<string, readonly Streams[]>,
): Figure {
  return costFigure(target, measured, {
    scenario: 'streams',
    name: `CPU per chunk, streams of ${chunks}`,
    bar: BAR,
    costUs: ({ cpuUs, result }) => cpuUs / result.events,
    caveat: (streams) => streamCaveat(streams, chunks),
  });
}

/**
 * Measures a streamed chunk. The upstream sends them at a steady pace well below saturation, so
 * that each is read and written by itself, as tokens of a real model are; at saturation many would
 * share one read and look cheap.
 */
export const streams: Scenario = {
  name: 'streams',
  about: 'streams of 50 and of 500 chunks: CPU per chunk',
  run: async (bench) => {
    const { sizes } = bench.options;
    const figures: Figure[] = [];
    const subject = await bench.subject();
    // Portkey's gateway fails on streams of a custom host under this Node.
    const targets = [subject, bench.passThrough, ...bench.baselines('base', 'nginx')];
    for (const chunks of sizes.streamChunks) {
      const request = streamRequest([bench.ground.keys.hot], streamModel(chunks, sizes));
      await bench.warmUpStreams(targets, request);
      const measured = await bench.takeTurns(
        targets.map((target) => ({
          name: target.name,
          target,
          order: {
            kind: 'read_streams' as const,
            destination: target.destination,
            request: forTarget(request, target),
            connections: sizes.streamsOpen,
            seconds: sizes.seconds,
          },
        })),
        { scenario: 'streams', chunks },
      );
      for (const { name } of targets) figures.push(chunkFigure(name, chunks, measured));
    }
    return figures;
  },
};
