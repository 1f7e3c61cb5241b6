import { defineConfig } from 'vitest/config';

/** Page logic is plain classes over signals, so its tests need neither a browser nor Angular's compiler. */
export default defineConfig({
  test: {
    include: ['src/**/*.spec.ts'],
    environment: 'node',
    testTimeout: 10_000,
    hookTimeout: 10_000,
    maxWorkers: 2,
    pool: 'threads',
  },
});
