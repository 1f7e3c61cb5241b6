import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of the files that take a minute and more these are small, and small ones come last: one would run alone in the end. */
const FIRST = /end-to-end\/console\.test\.ts$|faults\/faults\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => FIRST.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

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
    sequence: { sequencer: LongestFirst },
  },
});
