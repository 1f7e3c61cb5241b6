import { speakOrder, type SpeakResult } from '../load/speak.ts';
import { eitherCaveat, replyCaveat } from '../measure/caveats.ts';
import type { Figure } from '../measure/figure.ts';
import type { Measurement } from '../measure/measurement.ts';
import { realtimeModel } from '../models.ts';
import { MEDIA_BAR } from './media.ts';
import type { Scenario } from './scenario.ts';

type Measured = Measurement<SpeakResult>;

const REFERENCE = 'pass-through';
const cpuUsPerMegabyte = ({ cpuUs, result }: Measured): number => cpuUs / (result.bytes / 1e6);

/** Spoken replies in sessions: their events are sent one by one, and each reply is billed. */
export const realtime: Scenario = {
  name: 'realtime',
  about: 'spoken replies over WebSockets: CPU per megabyte',
  run: async (bench) => {
    const { sizes } = bench.options;
    const model = realtimeModel(sizes);
    const targets = [await bench.subject(), bench.passThrough, ...bench.baselines('base')];
    const key = bench.ground.keys.hot;
    const order = speakOrder({ model, key, sessions: sizes.sessionsOpen });
    const seconds = sizes.streamWarmUpSeconds;
    await bench.warmUpWith(targets, 'realtime', ({ destination }) => ({
      ...order,
      ...{ destination, seconds },
    }));
    const measured = await bench.takeTurns(
      targets.map((target) => ({
        name: target.name,
        target,
        order: { ...order, destination: target.destination, seconds: sizes.seconds },
      })),
      { scenario: 'realtime', model },
    );
    const reference = measured.get(REFERENCE) ?? [];
    return targets.map(({ name: target }): Figure => {
      const own = measured.get(target) ?? [];
      const figure = {
        ...{ scenario: 'realtime', target, unit: 'us', name: 'CPU per megabyte, spoken replies' },
        rounds: own.map(cpuUsPerMegabyte),
      };
      if (target === REFERENCE) return { ...figure, ...replyCaveat(own) };
      return {
        ...figure,
        against: { target: REFERENCE, rounds: reference.map(cpuUsPerMegabyte) },
        ...(target === 'weir' ? { bar: MEDIA_BAR } : {}),
        ...eitherCaveat(replyCaveat(own), replyCaveat(reference)),
      };
    });
  },
};
