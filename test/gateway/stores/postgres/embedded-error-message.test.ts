import { expect, it } from 'vitest';
import { embeddedErrorMessage } from '../../../../gateway/stores/postgres/embedded/embedded-error-message.ts';

it.each([
  // As thrown by PGlite when a new database does not fit on the disk.
  [{ name: 'ErrnoError', errno: 51 }, 'no space left on device'],
  [{ name: 'ErrnoError', errno: 29 }, 'error 29 of its files'],
  [new Error('the files are damaged'), 'the files are damaged'],
  ['aborted', 'aborted'],
])('says %o as "%s"', (error, text) => {
  expect(embeddedErrorMessage(error)).toBe(text);
});
