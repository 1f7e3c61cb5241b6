import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  openBillingFixture,
  type BillingFixture,
} from '../../settlement/support/billing-fixture.ts';
import {
  MODES,
  runAttack,
  startHostileUpstreams,
  type HostileUpstreams,
} from './support/adversary.ts';
import { ATTACKS } from './support/attacks.ts';

let billing: BillingFixture;
let upstreams: HostileUpstreams;

beforeAll(async () => {
  billing = await openBillingFixture();
  upstreams = await startHostileUpstreams();
});

afterAll(async () => {
  await billing.close();
  await upstreams.close();
});

/** One attack of each kind; `adversary.long.test.ts` runs all of them in all modes. */
const SOME = ['401', '404', '429, Retry-After 60', '500', 'reset before the head'];

it.each(
  SOME.flatMap((name, index) => {
    const attack = ATTACKS.find((one) => one.name === name);
    const mode = MODES[index % MODES.length];
    return attack === undefined || mode === undefined ? [] : [{ attack, mode, name }];
  }),
)('takes nothing from another customer: $name, $mode.name', async ({ attack, mode }) => {
  const { lost, replies } = await runAttack(billing, upstreams, { attack, mode, rounds: 2 });
  expect(replies).toEqual([]);
  expect(lost).toBe(0);
});
