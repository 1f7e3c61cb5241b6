import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'console/**'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // On two cores: tests wait for processes, browsers and time-outs for half of their time. More make timings noisy.
    maxWorkers: 3,
    pool: 'forks',
  },
});
