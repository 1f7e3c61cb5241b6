import { beforeEach, expect, it } from 'vitest';
import { BodyQuota } from '../../../../../gateway/data-plane/http/body/body-quota.ts';

const ROOM = 120;

let room: BodyQuota;

beforeEach(() => {
  room = new BodyQuota(ROOM);
});

/** Returns the number of ten-byte bodies that a sender gets in. */
function fill(sender: string): number {
  let bodies = 0;
  while (room.take(sender, 10) === undefined) bodies += 1;
  return bodies;
}

it('gives a sender half of all, and each further one as much as it leaves free', () => {
  expect(fill('a')).toBe(6);
  expect(fill('b')).toBe(3);
  expect(fill('c')).toBe(1);
  expect(room.take('d', 10)).toBeUndefined();
});

it('tells apart who has taken too much and who finds too little', () => {
  fill('a');
  expect(room.take('a', 10)).toMatchObject({
    refused: 'concurrency_limit_exceeded',
    retryAfterMs: 1_000,
  });
  expect(room.take('b', 40)).toMatchObject({ refused: 'overloaded', retryAfterMs: 1_000 });
});

it('takes back what has arrived, from whom it was', () => {
  fill('a');
  fill('b');
  for (let bodies = 0; bodies < 6; bodies += 1) room.release('a', 10);
  for (let bodies = 0; bodies < 3; bodies += 1) room.release('b', 10);
  expect(fill('b')).toBe(6);
  expect(fill('a')).toBe(3);
});
