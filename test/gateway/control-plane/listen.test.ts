import { expect, it } from 'vitest';
import { listen } from '../../../gateway/control-plane/open-server.ts';
import { createAdminFixture } from './support/fixture.ts';

it('listening says nothing of its own, and what comes after it is logged as ever', async () => {
  const fixture = await createAdminFixture();
  const before = fixture.log.length;
  await listen(fixture.app, { host: '127.0.0.1', port: 0 });
  expect(fixture.log.slice(before)).toEqual([]);
  await fixture.ask('getPricing');
  expect(fixture.log.slice(before).some((line) => line.includes('admin request'))).toBe(true);
  await fixture.close();
});

it('a connection that could not be accepted is logged, and ends nothing', async () => {
  const fixture = await createAdminFixture();
  await listen(fixture.app, { host: '127.0.0.1', port: 0 });
  fixture.app.server.emit('error', new Error('accept EMFILE'));
  expect(fixture.log.some((line) => line.includes('accept EMFILE'))).toBe(true);
  await fixture.close();
});
