/**
 * `npm run wander -- --minutes 5 --seed 7`: four people at once who click on anything in the
 * console, in front of an API that is late and fails at times. Prints what broke and what led
 * there. The seed decides what they would like to do; what comes of it depends on the time as well.
 * Exit code 1 when something was found.
 */
import { parseArgs } from 'node:util';
import { layConsoleGround } from '../end-to-end/console-ground.ts';
import { STOCK_SETTINGS, stockUp } from '../end-to-end/stock.ts';
import { Random } from '../simulator/random.ts';
import { GROUND_URL_VARIABLE } from '../support/ask-ground.ts';
import { layGround } from '../support/ground.ts';
import { satisfyPrerequisites } from '../support/prerequisites.ts';
import { wander, type Finding } from './wanderer.ts';

const READERS = ['nobody', 'user', 'admin', 'admin'] as const;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

function print({ what, at, steps }: Finding): void {
  console.log([`\n${what}`, `  at ${at}`, ...steps.map((step) => `  - ${step}`)].join('\n'));
  process.exitCode = 1;
}

const lack = satisfyPrerequisites();
if (lack !== undefined) throw new Error(lack);
console.log(`seed ${values.seed}, ${values.minutes} minutes`);
const servers = await layGround();
process.env[GROUND_URL_VARIABLE] = servers.url;
const ground = await layConsoleGround(STOCK_SETTINGS);
try {
  const stock = await stockUp(ground);
  const endsAtMs = Date.now() + Number(values.minutes) * 60_000;
  const isOver = (): boolean => Date.now() >= endsAtMs;
  await Promise.all(
    READERS.map((reader, index) => {
      const random = new Random(Number(values.seed) + index);
      return wander({ ground, stock, reader, random, isOver, found: print });
    }),
  );
  console.log(process.exitCode === 1 ? '\nThings broke.' : 'Nothing broke.');
} finally {
  await ground.close();
  await servers.close();
}
