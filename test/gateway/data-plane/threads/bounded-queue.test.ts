import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BoundedQueue } from '../../../../gateway/data-plane/threads/bounded-queue.ts';

describe('a bounded queue', () => {
  let queue: BoundedQueue;
  let begun: string[];

  beforeEach(() => {
    vi.useFakeTimers();
    queue = new BoundedQueue({ atOnce: 2, waitingMax: 2, deadlineMs: 100 });
    begun = [];
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  function add(name: string): { finish: () => void; outcome: Promise<string> } {
    const { promise, resolve } = Promise.withResolvers<string>();
    const task = (): Promise<string> => {
      begun.push(name);
      return promise;
    };
    const outcome = queue.run(task).catch((error: unknown) => String(error));
    return { finish: () => resolve(name), outcome };
  }

  it('runs so many at once and the others in order', async () => {
    const [a, , c] = [add('a'), add('b'), add('c'), add('d')];
    expect(begun).toEqual(['a', 'b']);
    a.finish();
    expect(await a.outcome).toBe('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b', 'c']);
    c.finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses at once what finds too many waiting', async () => {
    for (const name of ['a', 'b', 'c', 'd']) add(name);
    expect(await add('e').outcome).toContain('2 tasks of this kind are waiting');
    expect(begun).toEqual(['a', 'b']);
  });

  it('gives no answer after the deadline, and never begins what has waited until then', async () => {
    const [a, , c] = [add('a'), add('b'), add('c')];
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all([a.outcome, c.outcome])).toEqual([
      'Error: no answer after 100 ms',
      'Error: no answer after 100 ms',
    ]);
    // The one that runs still has its place.
    const d = add('d');
    expect(begun).toEqual(['a', 'b']);
    a.finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b', 'd']);
    d.finish();
    expect(await d.outcome).toBe('d');
  });
});
