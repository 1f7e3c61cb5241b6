/** The log is written from the trace. What decides is in Billing, Attempt and the request. */
import { expect, it } from 'vitest';
import { sourceFiles } from '../../support/sources/source-files.ts';

/** Its identity, given at arrival, and its methods that write. */
const OPEN: ReadonlySet<string> = new Set([
  'requestId',
  'createdAtMs',
  'startedAtMs',
  'attemptFailed',
  'holdBegins',
  'holdEnds',
  'attemptBegins',
  'settleBegins',
  // The content log ends it with the request.
  'recording',
]);
/** A member that is not assigned to. */
const READ = /\btrace\.(\w+)\b(?!\.ts)(?! (?:\?\?)?= )/g;

it('is written by the request path, and read by the log alone', () => {
  const reads = sourceFiles(['.ts'], ['gateway/data-plane/']).flatMap(({ path, text }) =>
    [...text.replaceAll('request-trace.ts', '').matchAll(READ)]
      .filter(([, member = '']) => !OPEN.has(member))
      .map(([read]) => `${path}: ${read}`),
  );
  expect(reads).toEqual([]);
});
