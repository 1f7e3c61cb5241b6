import { afterEach, describe, expect, it } from 'vitest';
import { Ticker } from '../../../../../gateway/platform/event-loop/ticker.ts';
import {
  BodyBuffers,
  PREALLOCATED_BYTES_MAX,
} from '../../../../../gateway/data-plane/http/body/body-buffers.ts';

const MIB = 1_048_576;

describe('the memory of request bodies', () => {
  const ticker = new Ticker();
  const buffers = new BodyBuffers(ticker);

  afterEach(() => {
    // Twice: what was in use at the first has lain there unused at the second.
    buffers.tick();
    buffers.tick();
  });

  it('is as long as was asked for', () => {
    for (const bytes of [1, 16_383, 16_384, 16_385, 213_000, MIB, MIB + 1]) {
      expect(buffers.take(bytes)).toHaveLength(bytes);
    }
  });

  it('is used again once it has been given back, for any body of about its size', () => {
    const first = buffers.take(200_000);
    buffers.release(first);
    expect(buffers.take(140_000).buffer).toBe(first.buffer);
    expect(buffers.take(140_000).buffer).not.toBe(first.buffer);
  });

  it('is lent to one body at a time, also when it is given back twice', () => {
    const first = buffers.take(20_000);
    buffers.release(first);
    buffers.release(first);
    const second = buffers.take(20_000);
    expect(buffers.take(20_000).buffer).not.toBe(second.buffer);
    // The first owner has nothing to give back any more.
    buffers.release(first);
    expect(buffers.take(20_000).buffer).not.toBe(second.buffer);
  });

  it('takes nothing that it has not lent, nor a part of it', () => {
    const own = Buffer.allocUnsafeSlow(32_768);
    buffers.release(own);
    expect(buffers.take(32_768).buffer).not.toBe(own.buffer);
    const lent = buffers.take(32_768);
    buffers.release(lent.subarray(3));
    expect(buffers.take(32_768).buffer).not.toBe(lent.buffer);
  });

  it('keeps 32 MiB at most', () => {
    const bodies = Array.from({ length: 40 }, () => buffers.take(PREALLOCATED_BYTES_MAX));
    const memory = new Set(bodies.map((body) => body.buffer));
    for (const body of bodies) buffers.release(body);
    const again = bodies.map(() => buffers.take(PREALLOCATED_BYTES_MAX).buffer);
    expect(again.filter((buffer) => memory.has(buffer))).toHaveLength(32);
  });

  it('is let go of when nobody has needed it from one tick to the next', () => {
    const bodies = [buffers.take(100_000), buffers.take(100_000)];
    const memory = bodies.map((body) => body.buffer);
    for (const body of bodies) buffers.release(body);
    buffers.tick();
    // One of the two is in use for a while.
    buffers.release(buffers.take(100_000));
    buffers.tick();
    expect(memory).toContain(buffers.take(100_000).buffer);
    expect(memory).not.toContain(buffers.take(100_000).buffer);
  });
});
