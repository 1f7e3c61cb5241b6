import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { Specimens } from '../../../../gateway/data-plane/threads/specimens.ts';

const MODULE = new URL('../../../../gateway/data-plane/threads/specimens.ts', import.meta.url).href;

/** Compiles code for a class, lets every object of it go but a specimen, and collects as V8's memory reducer does. */
const PROGRAM = `
  import { Specimens } from '${MODULE}';
  class Request { constructor(at) { this.at = at; this.more = { at }; } }
  function serve(count) { let sum = 0; for (let at = 0; at < count; at++) sum += new Request(at).more.at; return sum; }
  for (let time = 0; time < 3_000; time++) serve(1_000);
  const specimens = new Specimens();
  if (process.argv.at(-1) === 'kept') specimens.offer('whole', new Request(1), 0);
  setTimeout(() => {
    gc({ type: 'major', flavor: 'last-resort' });
    console.log('collected', specimens.of('whole'));
  }, 10);
`;

/** What V8 says of code that it throws away. */
function run(argument: string): string {
  const flags = ['--trace-deopt', '--expose-gc', '--disable-warning=ExperimentalWarning'];
  const program = ['--input-type=module', '--eval', PROGRAM, argument];
  return execFileSync(process.execPath, [...flags, ...program], { encoding: 'utf8' });
}

describe('a specimen', () => {
  it('keeps the compiled code that counts on objects of its kind', () => {
    const dropped = /SharedFunctionInfo Request>.*weak objects/;
    expect(run('gone')).toMatch(dropped);
    const kept = run('kept');
    expect(kept).toContain('collected');
    expect(kept).not.toMatch(dropped);
  });

  it('is replaced by one of its kind, once a second', () => {
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
});
