import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connectRedis } from '../../../../gateway/stores/redis/connect.ts';
import { startRedis } from '../../../support/redis.ts';

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
  let closed = 0;
  client.on('close', () => (closed += 1));
  await client.connect();
  await client.set('key', 'before');
  // Of a port where nobody answers: it keeps what it has.
  await client.call('REPLICAOF', '127.0.0.1', '9');
  await expect(client.set('key', 'value')).rejects.toThrow('READONLY');
  await expect.poll(() => closed).toBe(1);
  for (let tries = 0; tries < 60; tries += 1) {
    await client.set('key', 'value').catch(() => undefined);
    await sleep(20);
  }
  expect(closed).toBeGreaterThan(1);
  expect(closed).toBeLessThan(6);
  await expect.poll(() => client.call('REPLICAOF', 'NO', 'ONE').catch(() => '')).toBe('OK');
  await expect.poll(() => client.set('key', 'after').catch(() => '')).toBe('OK');
  client.disconnect();
  await server.stop();
});
