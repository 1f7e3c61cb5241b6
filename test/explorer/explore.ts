/**
 * `npm run explore -- --minutes 5 --seed 7`: four people at once who click on anything in the
 * console, in front of an API that is late and fails at times. Prints what broke and what led
 * there. The seed decides what they would like to do; what comes of it depends on the time as well.
 * Exit code 1 when something was found.
 */
import '../support/machine/machine-speed.ts';
import { parseArgs } from 'node:util';
import { createConsoleFixture } from '../end-to-end/support/console-fixture.ts';
import { STOCK_SETTINGS, stockUp } from '../end-to-end/support/stock.ts';
import { Random } from '../simulator/random.ts';
import { FIXTURE_URL_VARIABLE } from '../support/clients/ask-fixture.ts';
import { createFixture } from '../support/fixture.ts';
import { satisfyPrerequisites } from '../support/machine/prerequisites.ts';
import { explore, type Finding } from './explorer.ts';

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
const servers = await createFixture();
process.env[FIXTURE_URL_VARIABLE] = servers.url;
const fixture = await createConsoleFixture(STOCK_SETTINGS);
try {
  const stock = await stockUp(fixture);
  const endsAtMs = Date.now() + Number(values.minutes) * 60_000;
  const isOver = (): boolean => Date.now() >= endsAtMs;
  await Promise.all(
    READERS.map((reader, index) => {
      const random = new Random(Number(values.seed) + index);
      return explore({ fixture, stock, reader, random, isOver, found: print });
    }),
  );
  console.log(process.exitCode === 1 ? '\nThings broke.' : 'Nothing broke.');
} finally {
  await fixture.close();
  await servers.close();
}
