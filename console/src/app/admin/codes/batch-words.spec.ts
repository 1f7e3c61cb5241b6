import { expect, test } from 'vitest';
import { wordsIn } from '../../../testing/words';
import { madeWords } from './batch-words';

test('Codes that an earlier try made are not said to be new ones, nor that sending again makes more', async () => {
  const { t } = await wordsIn();
  expect(madeWords({ count: 3, before: false }, t)).toBe('3 codes generated.');
  const words = madeWords({ count: 3, before: true }, t);
  expect(words).toContain('these are the codes that were generated then');
  expect(words).toContain('open this dialog again');
  expect(words).not.toContain('send it again');
});
