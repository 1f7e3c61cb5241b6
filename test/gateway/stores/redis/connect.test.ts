import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { connectRedis } from '../../../../gateway/stores/redis/connect.ts';
import { until } from '../../../support/clocks/hang.ts';
import { startRedis } from '../../../support/stores/redis.ts';

const CONNECT = new URL('../../../../gateway/stores/redis/connect.ts', import.meta.url).href;

it('leaves the methods of strings as fast as they are without a Redis client', () => {
  const program = `await import('${CONNECT}'); console.log(%HasFastProperties(String.prototype));`;
  const flags = ['--allow-natives-syntax', '--disable-warning=ExperimentalWarning'];
  const said = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', program]);
  expect(said.toString().trim()).toBe('true');
});

it('leaves a Redis that has become a replica, looks for another without haste, and works again on one that takes writes', async () => {
  const server = await startRedis();
  const client = connectRedis(server.url);
  const delaysMs: number[] = [];
  client.on('reconnecting', (delayMs: number) => delaysMs.push(delayMs));
  await client.connect();
  await client.set('key', 'before');
  // Of a port where nothing listens: it keeps its data.
  await client.call('REPLICAOF', '127.0.0.1', '9');
  await expect(client.set('key', 'value')).rejects.toThrow('READONLY');
  await until('a few connections', async () => {
    await client.set('key', 'value').catch(() => undefined);
    return delaysMs.length >= 3;
  });
  expect(delaysMs).toEqual([500, 500, 500]);
  const answersOk = (ask: () => Promise<unknown>) => async () =>
    (await ask().catch(() => undefined)) === 'OK';
  await until(
    'a primary',
    answersOk(() => client.call('REPLICAOF', 'NO', 'ONE')),
  );
  await until(
    'a write',
    answersOk(() => client.set('key', 'after')),
  );
  client.disconnect();
  await server.stop();
});
