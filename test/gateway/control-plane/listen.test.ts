import { expect, it } from 'vitest';
import { listen } from '../../../gateway/control-plane/listen.ts';
import { layAdminGround } from './support/ground.ts';

it('listening says nothing of its own, and what comes after it is logged as ever', async () => {
  const ground = await layAdminGround();
  const before = ground.log.length;
  await listen(ground.app, { host: '127.0.0.1', port: 0 });
  expect(ground.log.slice(before)).toEqual([]);
  await ground.ask('getPricing');
  expect(ground.log.slice(before).some((line) => line.includes('admin request'))).toBe(true);
  await ground.close();
});

it('a connection that could not be accepted is logged, and ends nothing', async () => {
  const ground = await layAdminGround();
  await listen(ground.app, { host: '127.0.0.1', port: 0 });
  ground.app.server.emit('error', new Error('accept EMFILE'));
  expect(ground.log.some((line) => line.includes('accept EMFILE'))).toBe(true);
  await ground.close();
});
