import { defineConfig } from 'vitest/config';

/**
 * Page logic is plain classes over signals, so its specs need no browser. Those that do need a document
 * (guards, which stand on the router) say so in their first line: `@vitest-environment jsdom`.
 */
export default defineConfig({
  test: {
    include: ['src/**/*.spec.ts'],
    setupFiles: ['src/testing/set-up.ts'],
    environment: 'node',
    // Money, dates and locales must not depend on where the specs run.
    env: { TZ: 'UTC' },
    testTimeout: 10_000,
    hookTimeout: 10_000,
    maxWorkers: 2,
    pool: 'threads',
  },
});
