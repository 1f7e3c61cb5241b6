import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTill, type Till } from '../../settlement/support/till.ts';
import {
  MODES,
  runAttack,
  startHostileUpstreams,
  type HostileUpstreams,
} from './support/adversary.ts';
import { ATTACKS } from './support/attacks.ts';

/** Of ten good requests each. */
const ROUNDS = 10;
/** Of a hundred requests: what no customer may take from another. */
const LOST_MAX = 1;

let till: Till;
let upstreams: HostileUpstreams;
/** What the good customer lost, by mode. */
const table: Record<string, { attacks: number; requests: number; lost: number; most: number }> = {};

beforeAll(async () => {
  till = await openTill();
  upstreams = await startHostileUpstreams();
});

afterAll(async () => {
  console.table(table);
  await till.close();
  await upstreams.close();
});

describe.each(MODES.filter(({ name }) => (process.env['ONLY'] ?? name) === name))('an adversary, $name', (mode) => {
  it.each(ATTACKS)('takes at most one request in a hundred from another: $name', async (attack) => {
    const { sent, lost, replies } = await runAttack(till, upstreams, {
      mode,
      attack,
      rounds: ROUNDS,
    });
    const row = (table[mode.name] ??= { attacks: 0, requests: 0, lost: 0, most: 0 });
    row.attacks += 1;
    row.requests += sent;
    row.lost += lost;
    row.most = Math.max(row.most, lost);
    expect(replies.slice(LOST_MAX)).toEqual([]);
  });
});
