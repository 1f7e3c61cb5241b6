import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

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

it('a specimen keeps the compiled code that counts on objects of its kind', () => {
  const dropped = /SharedFunctionInfo Request>.*weak objects/;
  expect(run('gone')).toMatch(dropped);
  const kept = run('kept');
  expect(kept).toContain('collected');
  expect(kept).not.toMatch(dropped);
});
