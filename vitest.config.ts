import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { HANG_MS } from './test/support/clocks/hang.ts';
import { slowFilesLeftOut } from './test/support/slow-files.ts';
import { SHARING_A_PROCESS } from './test/support/sources/rooms.ts';

/**
 * Short files that run long. In a fresh clone vitest knows nothing but sizes and begins with the
 * largest: these would be the last, and one of them the last alone.
 */
const FIRST = [
  'end-to-end/console',
  'end-to-end/walks.long',
  'faults/faults.long',
  'simulator/simulation.long',
];

const SHARING = SHARING_A_PROCESS.map((folder) => `${folder}/**/*.test.ts`);

/** What takes long by its nature: `npm run test:long`. */
const LONG = 'test/**/*.long.test.ts';

const LEFT_OUT = [LONG, ...slowFilesLeftOut()];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification): boolean =>
      FIRST.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

/**
 * Node.js loads tests as it loads Weir: from the run's compiled code. None of them mocks a module;
 * long ones load modules of the console, which only Vite finds.
 */
const BY_NODE = { experimental: { viteModuleRunner: false } };

/** For projects whose processes run several files. */
const SEVERAL_FILES = { isolate: false, setupFiles: ['test/support/sources/file-begins.ts'] };

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', 'console/**'],
    globalSetup: ['test/support/machine/global-setup.ts'],
    // All of these only end a hang; a file sets none of its own.
    testTimeout: HANG_MS,
    hookTimeout: 2 * HANG_MS,
    expect: { poll: { timeout: HANG_MS / 2, interval: 20 } },
    teardownTimeout: HANG_MS,
    // On two cores: tests wait for processes, browsers and time-outs for half of their time. Three
    // leave a quarter of the cores unused, a tenth more of time; with five, the machine is now and
    // then so busy that the ledger does not answer in time.
    maxWorkers: 4,
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'sharing',
          include: SHARING,
          exclude: LEFT_OUT,
          ...BY_NODE,
          ...SEVERAL_FILES,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.ts'],
          exclude: [...LEFT_OUT, ...SHARING],
          ...BY_NODE,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: [LONG] },
      },
    ],
  },
});
