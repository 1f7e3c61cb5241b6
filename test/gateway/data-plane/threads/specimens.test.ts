import { expect, it } from 'vitest';
import { Specimens } from '../../../../gateway/data-plane/threads/specimens.ts';

it('a specimen is replaced by one of its kind, once a second', () => {
  const specimens = new Specimens<'stream' | 'whole'>();
  const offered = { first: {}, early: {}, stream: {}, next: {} };
  specimens.offer('whole', offered.first, 5_000);
  specimens.offer('whole', offered.early, 5_999);
  specimens.offer('stream', offered.stream, 5_999);
  expect(specimens.of('whole')).toBe(offered.first);
  expect(specimens.of('stream')).toBe(offered.stream);
  specimens.offer('whole', offered.next, 6_000);
  expect(specimens.of('whole')).toBe(offered.next);
});
