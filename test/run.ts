/**
 * `npm test`: types, lint, formatting, and every test that finds faults cheaply.
 * `npm run test:long` (`--long`): the rest. File name filters behind either run only these files.
 * The last line is `N passed, N failed`; the exit code follows it.
 */
import { SLOWNESS } from './support/machine/machine-speed.ts';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { startChecks } from './check.ts';
import { cpuSeconds } from './support/machine/cpu-seconds.ts';
import { keepTemporaryFilesInMemory } from './support/stores/memory-folder.ts';
import { slowFilesLeftOut, takeTurns } from './support/slow-files.ts';
import { satisfyPrerequisites } from './support/machine/prerequisites.ts';
import { watchRun } from './support/machine/run-remains.ts';
import {
  addTallies,
  closingLine,
  tallyOutput,
  tallyVitest,
  type Tally,
} from './support/ledger/tally.ts';

const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };
const FAILED_ONCE: Tally = { ...NOTHING, failed: 1 };
/**
 * Taken before vitest starts, which sets variables of its own that the console's build must not
 * see.
 */
const ENVIRONMENT = { ...process.env, CI: '1' };
const ROOT = new URL('..', import.meta.url);
/** Samples repeat after far fewer seeds. */
const SAMPLE_SEEDS = 1_000;
/**
 * Long tests load the machine themselves, some until it can take no more: a click has then taken
 * more than the 30 s that it is given on a quiet machine.
 */
const LONG_HANG_FACTOR = 3;
const PRELOADED = ['reuse-stripped-types', 'keep-memory'];

function consoleHasScript(name: string): boolean {
  const manifest = new URL('console/package.json', ROOT);
  if (!existsSync(manifest)) return false;
  const { scripts = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    scripts?: Record<string, string>;
  };
  return name in scripts;
}

/** Runs a script of the console; what it prints is shown when it has ended. */
async function runConsoleScript(name: string): Promise<{ output: string; code: number | null }> {
  const child = spawn('npm', ['run', '--silent', name, '-w', 'console'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENVIRONMENT,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.stdout.write(output);
  return { output, code };
}

async function testConsole(): Promise<Tally> {
  if (!consoleHasScript('test')) return NOTHING;
  const { output, code } = await runConsoleScript('test');
  return tallyOutput(output, code);
}

async function testServer(project: string, filters: string[]): Promise<Tally> {
  const vitest = await startVitest(filters, { run: true, watch: false, project: [project] });
  const tally = tallyVitest(vitest);
  await vitest.close();
  // No file at all means that the filters match nothing, which must not look like success.
  return tally.passed + tally.failed + tally.skipped === 0 ? FAILED_ONCE : tally;
}

/** Builds the console, which the walks open, unless it is built from these sources. */
async function buildConsole(): Promise<Tally> {
  return (await runConsoleScript('build')).code === 0 ? NOTHING : FAILED_ONCE;
}

function leaveSlowFilesOut(): void {
  takeTurns(Number(process.env['SAMPLE_SEED']));
  const leftOut = slowFilesLeftOut();
  process.stdout.write(
    `Not their turn: ${leftOut.length} slow files, which the next runs have, and \`npm run test:long\`:\n` +
      leftOut.map((file) => `  ${file}\n`).join(''),
  );
}

/** Reports whether one of the files is a walk: other files need not wait for the build. */
function opensConsole(filters: readonly string[]): boolean {
  const walks = globSync('test/end-to-end/**/*.test.ts', { cwd: ROOT });
  return walks.some((file) => filters.some((filter) => file.includes(filter)));
}

async function runSome(filters: string[]): Promise<Tally> {
  const built = opensConsole(filters) ? await buildConsole() : NOTHING;
  return addTallies(built, await testServer('*', filters));
}

async function runLong(): Promise<Tally> {
  const built = await buildConsole();
  const long = await testServer('long', []);
  return addTallies(addTallies(built, long), await testServer('!long', ['.slow.test.ts']));
}

async function runAll(long: boolean, filters: string[]): Promise<Tally> {
  if (filters.length > 0) return runSome(filters);
  if (long) return runLong();
  const checks = startChecks();
  // Browser tests look at what it builds. The other checks, and after them the console's tests, go
  // on alongside the tests.
  await checks.built;
  const consoleTested = checks.failures.then(testConsole);
  leaveSlowFilesOut();
  const server = await testServer('!long', []);
  const tested = addTallies(server, await consoleTested);
  return (await checks.failures) === 0 ? tested : addTallies(tested, FAILED_ONCE);
}

async function main(args: string[]): Promise<number> {
  const long = args.includes('--long');
  const filters = args.filter((argument) => argument !== '--long');
  const lack = satisfyPrerequisites(long);
  if (lack !== undefined) {
    process.stderr.write(`${lack}\n`);
    return 1;
  }
  const hangMs = Number(process.env['TEST_HANG_MS']) * (long ? LONG_HANG_FACTOR : 1);
  process.env['TEST_HANG_MS'] = String(hangMs);
  process.stdout.write(
    `This machine takes ${SLOWNESS.toFixed(1)} times as long as a quiet one of two cores: a test that takes ` +
      `${hangMs} ms counts as hanging.\n`,
  );
  const sampleSeed = (process.env['SAMPLE_SEED'] ??= String(randomInt(SAMPLE_SEEDS)));
  process.stdout.write(
    `Large matrices and slow files are sampled; SAMPLE_SEED=${sampleSeed} repeats the sample.\n`,
  );
  keepTemporaryFilesInMemory();
  const remains = watchRun(long ? ['reuse-stripped-types'] : PRELOADED);
  const startedAtMs = performance.now();
  const tally = await runAll(long, filters);
  await remains.remove();
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
  process.stdout.write(`${seconds} s, ${cpuSeconds().toFixed(0)} s of CPU time\n`);
  process.stdout.write(`${closingLine(tally)}\n`);
  return tally.failed === 0 ? 0 : 1;
}

process.exit(await main(process.argv.slice(2)));
