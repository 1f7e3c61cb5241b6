import { afterAll, beforeAll, expect, it } from 'vitest';
import { GROUND_TIMEOUT_MS, layConsoleGround, type ConsoleGround } from './console-ground.ts';
import { untilSettled } from './pages.ts';

const FIRST_LOAD_BYTES_MAX = 350_000;
/** Less than this would mean that not everything was counted. */
const FIRST_LOAD_BYTES_MIN = 100_000;

let ground: ConsoleGround;

beforeAll(async () => {
  ground = await layConsoleGround();
}, GROUND_TIMEOUT_MS);

afterAll(() => ground.close(), GROUND_TIMEOUT_MS);

it('transfers little on a first visit: page, scripts, styles, typeface and answers', async () => {
  const { page, context } = await ground.visitor();
  let bytes = 0;
  const client = await context.newCDPSession(page);
  client.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await client.send('Network.enable');
  await page.goto('/login');
  await untilSettled(page);
  await page.waitForLoadState('networkidle');
  expect(bytes).toBeGreaterThan(FIRST_LOAD_BYTES_MIN);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
});
