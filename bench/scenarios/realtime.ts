import { speakOrder, type SpeakOrder, type SpeakResult } from '../load/speak.ts';
import { replyCaveat } from '../measure/caveats.ts';
import { costFigure } from '../measure/cost-figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { realtimeModel } from '../models.ts';
import { MEDIA_BAR } from './media.ts';
import type { Target } from '../targets/target.ts';
import type { Scenario } from './scenario.ts';

type Measured = Measurement<SpeakResult>;

const MEGABYTE = 1_000_000;

/** Spoken replies in sessions: their events are sent one by one, and each reply is billed. */
export const realtime: Scenario = {
  name: 'realtime',
  about: 'spoken replies over WebSockets: CPU per megabyte',
  run: async (bench) => {
    const { sizes } = bench.options;
    const model = realtimeModel(sizes);
    const subject = await bench.subject();
    const targets = [subject, bench.passThrough];
    const key = bench.ground.keys.hot;
    const orderFor = ({ destination }: Target, seconds = sizes.seconds): SpeakOrder => ({
      ...speakOrder({ model, key, sessions: sizes.sessionsOpen }),
      ...{ destination, seconds },
    });
    await bench.warmUpWith(targets, 'realtime', (target) =>
      orderFor(target, sizes.streamWarmUpSeconds),
    );
    const measured = new Map<string, Measured[]>(targets.map(({ name }) => [name, []]));
    for (let round = 0; round < sizes.rounds; round += 1) {
      // At once: sessions come at their own pace, and what makes the machine slow makes both slow.
      const [own, other] = await bench.measureTogether(
        { target: subject, order: orderFor(subject) },
        { target: bench.passThrough, order: orderFor(bench.passThrough) },
        { scenario: 'realtime', model, round },
      );
      measured.get(subject.name)?.push(own);
      measured.get(bench.passThrough.name)?.push(other);
    }
    return targets.map(({ name }) =>
      costFigure(name, measured, {
        scenario: 'realtime',
        name: 'CPU per megabyte, spoken replies',
        bar: MEDIA_BAR,
        costUs: ({ cpuUs, result }: Measured) => cpuUs / (result.bytes / MEGABYTE),
        caveat: replyCaveat,
      }),
    );
  },
};
