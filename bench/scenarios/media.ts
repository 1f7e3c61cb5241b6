import { forTarget, type Bench } from '../bench.ts';
import type { RequestShape } from '../load/request-shape.ts';
import type { SaturateOrder, SaturateResult } from '../load/saturate.ts';
import { replyCaveat } from '../measure/caveats.ts';
import { costFigure } from '../measure/cost-figure.ts';
import type { Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { imageModel, speechModel } from '../models.ts';
import { imageRequest, speechRequest } from '../requests.ts';
import type { Target } from '../targets/target.ts';
import type { Scenario } from './scenario.ts';

type Measured = Measurement<SaturateResult>;

/** Large replies are copied by few: more clients would only need more memory. */
const CONNECTIONS = 8;
const MEGABYTE = 1_000_000;
/** Each client gets so many replies at least. */
const REPLIES_EACH_MIN = 2;

export const MEDIA_BAR = { of: 'ratio', kind: 'at_most', limit: 1.3 } as const;

interface Passed {
  readonly label: string;
  readonly request: RequestShape;
  /** Bytes of one reply. */
  readonly bytes: number;
}

/** Measures replies of many bytes in turns with the pass-through: CPU time for each megabyte. */
async function measurePassed(bench: Bench, scenario: string, passed: Passed): Promise<Figure[]> {
  const { label, request, bytes } = passed;
  const { sizes } = bench.options;
  const targets = [await bench.subject(), bench.passThrough, ...bench.baselines('base')];
  // By the clock, replies that are under way at the end would cost and not count.
  const replies = (sizes.mediaMegabytes * MEGABYTE) / bytes;
  const orderFor = (target: Target): SaturateOrder => ({
    kind: 'saturate',
    destination: target.destination,
    request: forTarget(request, target),
    connections: CONNECTIONS,
    seconds: sizes.seconds,
    requests: Math.max(Math.ceil(replies), REPLIES_EACH_MIN * CONNECTIONS),
  });
  await bench.warmUpWith(targets, `${scenario} ${label}`, orderFor);
  const measured = await bench.takeTurns(
    targets.map((target) => ({ name: target.name, target, order: orderFor(target) })),
    { scenario, label },
  );
  return targets.map(({ name }) =>
    costFigure(name, measured, {
      scenario,
      name: `CPU per megabyte, ${label}`,
      bar: MEDIA_BAR,
      costUs: ({ cpuUs, result }: Measured) => cpuUs / ((result.requests * bytes) / MEGABYTE),
      caveat: replyCaveat,
    }),
  );
}

/** Images in base64: in one piece, and as a stream of three partial ones and the whole. */
export const images: Scenario = {
  name: 'images',
  about: 'images of megabytes in base64, whole and streamed: CPU per megabyte',
  run: async (bench) => {
    const bytes = bench.options.sizes.imageBytes;
    const keys = [bench.ground.keys.hot];
    const model = imageModel(bench.options.sizes);
    const size = `${(bytes / MEGABYTE).toFixed(1)} MB`;
    return [
      ...(await measurePassed(bench, 'images', {
        label: `one image of ${size}`,
        request: imageRequest(keys, model, false),
        bytes,
      })),
      ...(await measurePassed(bench, 'images', {
        label: `a stream of four of ${size}`,
        request: imageRequest(keys, model, true),
        bytes: 4 * bytes,
      })),
    ];
  },
};

/** A file of sound, in pieces as they come. */
export const speech: Scenario = {
  name: 'speech',
  about: 'files of sound: CPU per megabyte',
  run: (bench) => {
    const bytes = bench.options.sizes.speechBytes;
    const request = speechRequest([bench.ground.keys.hot], speechModel(bench.options.sizes));
    const label = `a file of ${(bytes / MEGABYTE).toFixed(1)} MB`;
    return measurePassed(bench, 'speech', { label, request, bytes });
  },
};
