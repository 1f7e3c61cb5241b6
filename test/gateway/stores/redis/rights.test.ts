import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { REDIS_COMMANDS, REDIS_RIGHTS } from '../../../../gateway/stores/redis/rights.ts';
import { sourceFiles } from '../../../support/sources/source-files.ts';

const OPERATIONS = new URL('../../../../docs/operations.md', import.meta.url);

/** Returns the commands of scripts: `call('HGET', …)`, `redis.call(…)`. */
function calledInLua(): string[] {
  const calls = sourceFiles(['.lua'], ['gateway/']).flatMap(({ text }) => [
    ...text.matchAll(/\bcall\(\s*'([A-Z]+)'/g),
  ]);
  return [...new Set(calls.map(([, command = '']) => command.toLowerCase()))];
}

it('the list of commands has each one that a script calls: a user without it would fail later', () => {
  const called = calledInLua();
  expect(called.length).toBeGreaterThan(20);
  expect(called.filter((command) => !REDIS_COMMANDS.some((known) => known === command))).toEqual(
    [],
  );
});

it('operations.md gives a user of Redis the rights that the start tries', () => {
  const rule = `ACL SETUSER weir on >password ${REDIS_RIGHTS}`;
  expect(readFileSync(OPERATIONS, 'utf8')).toContain(rule);
});
