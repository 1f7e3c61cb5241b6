/**
 * `npm run check`: rules, types and format of server and console, and the console's build. What
 * takes longest starts first and as many run at once as there are cores; each is shown when it has
 * ended, so that no two mix their output.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const SCRIPTS = [
  // Checks the application's templates as well; the tests that come after look at what it builds.
  ['build', '-w', 'console'],
  // Types and most rules, of the console too.
  ['lint'],
  ['format:check'],
  ['lint', '-w', 'console'],
];
/**
 * Compilers and linters make more garbage than V8's young generation is laid out for: with one of
 * this size (MiB) they take a fifth less time, and a part of a gigabyte more memory.
 */
const YOUNG_GENERATION = '--max-semi-space-size=64';
/** The same for the types of the native linter: an eighth less time for hardly more memory. */
const GARBAGE_PERCENT = '400';
/** Each takes up to a gigabyte of memory, the native linter four. */
const AT_ONCE_MAX = 4;

function run(script: readonly string[]): Promise<{ output: string; code: number | null }> {
  const child = spawn('npm', ['run', '--silent', ...script], {
    cwd: new URL('..', import.meta.url),
    env: {
      ...process.env,
      GOGC: GARBAGE_PERCENT,
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} ${YOUNG_GENERATION}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ output, code }));
  });
}

/** Takes one script after the other until none is left; resolves with how many failed. */
async function work(waiting: Iterable<readonly string[]>): Promise<number> {
  let failures = 0;
  for (const script of waiting) {
    const startedAtMs = performance.now();
    const { output, code } = await run(script);
    if (code !== 0) failures += 1;
    const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
    process.stdout.write(
      `${code === 0 ? 'ok    ' : 'FAILED'} ${script.join(' ')} (${seconds} s)\n`,
    );
    if (code !== 0) process.stdout.write(output);
  }
  return failures;
}

/** Resolves with how many of the checks failed. */
export async function runChecks(): Promise<number> {
  const waiting = SCRIPTS.values();
  const workers = Array.from({ length: Math.min(AT_ONCE_MAX, availableParallelism()) }, () =>
    work(waiting),
  );
  return (await Promise.all(workers)).reduce((sum, failures) => sum + failures, 0);
}

if (import.meta.main) process.exitCode = (await runChecks()) === 0 ? 0 : 1;
