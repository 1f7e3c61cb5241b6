import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

/** Rounds of ten good requests. None of forty may be lost: stricter than one in a hundred. */
const ROUNDS = 4;

let billing: BillingFixture;
let upstreams: HostileUpstreams;
/** The losses of the good customer, by mode. */
const table: Record<string, { attacks: number; requests: number; lost: number; most: number }> = {};

beforeAll(async () => {
  billing = await openBillingFixture();
  upstreams = await startHostileUpstreams();
});

afterAll(async () => {
  console.table(table);
  await billing.close();
  await upstreams.close();
});

describe.each(MODES)('an adversary, $name', (mode) => {
  it.each(ATTACKS)('takes nothing from another: $name', async (attack) => {
    const { sent, lost, replies } = await runAttack(billing, upstreams, {
      mode,
      attack,
      rounds: ROUNDS,
    });
    const row = (table[mode.name] ??= { attacks: 0, requests: 0, lost: 0, most: 0 });
    row.attacks += 1;
    row.requests += sent;
    row.lost += lost;
    row.most = Math.max(row.most, lost);
    expect(replies).toEqual([]);
  });
});
