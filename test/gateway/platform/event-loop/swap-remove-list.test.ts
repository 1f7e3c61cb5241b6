import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  SwapRemoveList,
  type SwapRemoveMember,
} from '../../../../gateway/platform/event-loop/swap-remove-list.ts';

class Member implements SwapRemoveMember {
  place = -1;
  readonly ballast = new Array<number>(64).fill(0);
}

function members<T extends SwapRemoveMember>(list: SwapRemoveList<T>): Set<T> {
  const seen = new Set<T>();
  list.forEach((member) => {
    expect(seen.has(member)).toBe(false);
    seen.add(member);
  });
  expect(seen.size).toBe(list.size);
  return seen;
}

describe('SwapRemoveList', () => {
  it('holds what has joined and not left, in whatever order that happens', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(15)), (steps) => {
        const all = Array.from({ length: 16 }, () => new Member());
        const list = new SwapRemoveList<Member>();
        const model = new Set<Member>();
        for (const step of steps) {
          const member = all[step];
          if (member === undefined) continue;
          expect(list.remove(member)).toBe(model.delete(member));
          if (step % 3 > 0) {
            list.add(member);
            model.add(member);
          }
          expect(members(list)).toEqual(model);
        }
      }),
    );
  });

  it('refuses a member that is in a list already', () => {
    const member = new Member();
    new SwapRemoveList<Member>().add(member);
    expect(() => {
      new SwapRemoveList<Member>().add(member);
    }).toThrow('in a list already');
  });

  it('calls for each member once though members leave as they are called', () => {
    const list = new SwapRemoveList<Member>();
    const all = Array.from({ length: 9 }, () => new Member());
    for (const member of all) list.add(member);
    const called: Member[] = [];
    list.forEach((member) => {
      called.push(member);
      list.remove(member);
    });
    expect(new Set(called)).toEqual(new Set(all));
    expect(called).toHaveLength(all.length);
    expect(list.size).toBe(0);
  });

  it('does not carry what has left into the old generation', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const list = new SwapRemoveList<Member>();
    let live: Member[] = [];
    const churn = (count: number) => {
      for (let turn = 0; turn < count; turn += 1) {
        const member = new Member();
        list.add(member);
        live.push(member);
        if (live.length < 64) continue;
        for (const left of live) list.remove(left);
        live = [];
      }
    };
    churn(100);
    // What is alive now is in the old generation from here on.
    collect();
    const before = oldGenerationBytes();
    churn(100_000);
    // 100,000 members are 60 MB. A Set in the list's stead leaves most of them there.
    expect(oldGenerationBytes() - before).toBeLessThan(6_000_000);
  });
});

function oldGenerationBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  return space?.space_used_size ?? Infinity;
}
