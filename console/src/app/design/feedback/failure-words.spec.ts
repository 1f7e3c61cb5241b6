import { expect, test } from 'vitest';
import { wordsIn } from '../../../testing/words';
import { ApiFailure } from '../../core/api/api-failure';
import { failureWords } from './failure-words';

test('A request id that stands in a line of its own is left out of the words', async () => {
  const failure = new ApiFailure({
    code: 'upstream_error',
    detail: 'The upstream failed; try again. (request id: r-1)',
    requestId: 'r-1',
  });
  expect(failureWords(failure, await wordsIn('en'))).toBe('The upstream failed; try again.');
  expect(failureWords(failure, await wordsIn('zh-CN'))).not.toContain('r-1');
});
