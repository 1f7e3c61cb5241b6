import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const CONNECT = new URL('../../../gateway/redis/connect.ts', import.meta.url).href;

it('leaves the methods of strings as fast as they are without a Redis client', () => {
  const program = `await import('${CONNECT}'); console.log(%HasFastProperties(String.prototype));`;
  const flags = ['--allow-natives-syntax', '--disable-warning=ExperimentalWarning'];
  const said = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', program]);
  expect(said.toString().trim()).toBe('true');
});
