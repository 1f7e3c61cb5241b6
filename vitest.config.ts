import { defineConfig } from 'vitest/config';

/** Takes minutes in a browser, and is not steady yet on a busy machine: `npm run test:browser` runs them. */
const BROWSER_WALKS = ['test/end-to-end/accessibility.test.ts'];
const onlyWalks = process.env['BROWSER_WALKS'] === '1';

export default defineConfig({
  test: {
    include: onlyWalks ? BROWSER_WALKS : ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'console/**', ...(onlyWalks ? [] : BROWSER_WALKS)],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // Two cores: more forks than that only make timings noisier.
    maxWorkers: 2,
    pool: 'forks',
  },
});
