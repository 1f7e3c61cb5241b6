import { defineConfig } from 'vitest/config';

/** Ends a hang, as in test/support/clocks/hang.ts: it proves nothing about speed. */
const HANG_MS = Number(process.env['TEST_HANG_MS'] ?? 60_000);

/**
 * Page logic is plain classes over signals, so its specs need no browser. Those that do need a
 * document (guards, which depend on the router) say so in their first line: `@vitest-environment
 * jsdom`.
 */
export default defineConfig({
  test: {
    include: ['src/**/*.spec.ts'],
    setupFiles: ['src/testing/set-up.ts'],
    environment: 'node',
    // Money, dates and locales must not depend on where the specs run.
    env: { TZ: 'UTC' },
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    // Specs leave nothing behind; loading Angular for each file takes three quarters of the time.
    // A second worker would load it once more, a third of what all specs cost.
    isolate: false,
    maxWorkers: 1,
    pool: 'threads',
  },
});
