import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Roster, type Rostered } from '../../../../gateway/platform/event-loop/roster.ts';

class Member implements Rostered {
  place = -1;
  readonly ballast = new Array<number>(64).fill(0);
}

function members<T extends Rostered>(roster: Roster<T>): Set<T> {
  const seen = new Set<T>();
  roster.forEach((member) => {
    expect(seen.has(member)).toBe(false);
    seen.add(member);
  });
  expect(seen.size).toBe(roster.size);
  return seen;
}

describe('Roster', () => {
  it('holds what has joined and not left, in whatever order that happens', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(15)), (steps) => {
        const all = Array.from({ length: 16 }, () => new Member());
        const roster = new Roster<Member>();
        const model = new Set<Member>();
        for (const step of steps) {
          const member = all[step];
          if (member === undefined) continue;
          expect(roster.remove(member)).toBe(model.delete(member));
          if (step % 3 > 0) {
            roster.add(member);
            model.add(member);
          }
          expect(members(roster)).toEqual(model);
        }
      }),
    );
  });

  it('refuses a member that is in a roster already', () => {
    const member = new Member();
    new Roster<Member>().add(member);
    expect(() => {
      new Roster<Member>().add(member);
    }).toThrow('in a roster already');
  });

  it('calls for each member once though members leave as they are called', () => {
    const roster = new Roster<Member>();
    const all = Array.from({ length: 9 }, () => new Member());
    for (const member of all) roster.add(member);
    const called: Member[] = [];
    roster.forEach((member) => {
      called.push(member);
      roster.remove(member);
    });
    expect(new Set(called)).toEqual(new Set(all));
    expect(called).toHaveLength(all.length);
    expect(roster.size).toBe(0);
  });

  it('does not carry what has left into the old generation', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const roster = new Roster<Member>();
    let live: Member[] = [];
    const churn = (count: number) => {
      for (let turn = 0; turn < count; turn += 1) {
        const member = new Member();
        roster.add(member);
        live.push(member);
        if (live.length < 64) continue;
        for (const left of live) roster.remove(left);
        live = [];
      }
    };
    churn(100);
    // What is alive now is in the old generation from here on.
    collect();
    const before = oldGenerationBytes();
    churn(100_000);
    // 100,000 members are 60 MB. A Set in the roster's stead leaves most of them there.
    expect(oldGenerationBytes() - before).toBeLessThan(6_000_000);
  });
});

function oldGenerationBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  return space?.space_used_size ?? Infinity;
}
