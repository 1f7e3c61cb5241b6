/**
 * The whole test run: `npm run test:all`, with file name filters after it if only some are wanted.
 * Its last line is `N passed, N failed`; the exit code follows it.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { keepTemporaryFilesInMemory } from './support/memory-folder.ts';
import { satisfyPrerequisites } from './support/prerequisites.ts';
import { addTallies, closingLine, tallyOutput, tallyVitest, type Tally } from './support/tally.ts';

const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };
const FAILED_ONCE: Tally = { ...NOTHING, failed: 1 };
/** Taken before vitest starts, which sets variables of its own that the console's build must not see. */
const ENVIRONMENT = { ...process.env, CI: '1' };
const ROOT = new URL('..', import.meta.url);

function consoleHasScript(name: string): boolean {
  const manifest = new URL('console/package.json', ROOT);
  if (!existsSync(manifest)) return false;
  const { scripts = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    scripts?: Record<string, string>;
  };
  return name in scripts;
}

/** Runs a script of the console; what it prints is shown and kept. */
async function runConsoleScript(name: string): Promise<{ output: string; code: number | null }> {
  const child = spawn('npm', ['run', '--silent', name, '-w', 'console'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ENVIRONMENT,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { output, code };
}

async function buildConsole(): Promise<Tally> {
  if (!consoleHasScript('build')) return NOTHING;
  const { code } = await runConsoleScript('build');
  return code === 0 ? NOTHING : FAILED_ONCE;
}

async function testConsole(): Promise<Tally> {
  if (!consoleHasScript('test')) return NOTHING;
  const { output, code } = await runConsoleScript('test');
  return tallyOutput(output, code);
}

async function testServer(filters: string[]): Promise<Tally> {
  const vitest = await startVitest(filters, { run: true, watch: false });
  const tally = tallyVitest(vitest);
  await vitest.close();
  // No file at all means that the filters match nothing, which must not look like success.
  return tally.passed + tally.failed + tally.skipped === 0 ? FAILED_ONCE : tally;
}

async function main(filters: string[]): Promise<number> {
  const lack = satisfyPrerequisites();
  if (lack !== undefined) {
    process.stderr.write(`${lack}\n`);
    return 1;
  }
  keepTemporaryFilesInMemory();
  let tally = NOTHING;
  // Browser tests look at the console as it is built; the console's own tests are part of a whole run only.
  if (filters.length === 0) tally = addTallies(tally, await buildConsole());
  tally = addTallies(tally, await testServer(filters));
  if (filters.length === 0) tally = addTallies(tally, await testConsole());
  process.stdout.write(`${closingLine(tally)}\n`);
  return tally.failed === 0 ? 0 : 1;
}

process.exit(await main(process.argv.slice(2)));
