/**
 * `npm run check`: rules, types and format of server and console, and the console's build. Each is
 * shown when it has ended, so that no two mix their output.
 */
import { spawn } from 'node:child_process';

/** Checks the application's templates as well; the tests that come after look at what it builds. */
const BUILD = ['build', '-w', 'console'];
const RULES = [
  // Types and most rules, of the console too. Each thread would check the shared types itself.
  ['lint', '--', '--threads=1'],
  ['format:check'],
  ['lint', '-w', 'console'],
];
/**
 * Compilers and linters make more garbage than V8's young generation is laid out for: with one of
 * this size (MiB) they take a fifth less time, and a part of a gigabyte more memory.
 */
const YOUNG_GENERATION = '--max-semi-space-size=64';
/**
 * The native linter collects garbage only once it has this much: a seventh less time than by shares
 * of what is in use, and a fifth less memory at its peak.
 */
const LINTER_MEMORY = { GOGC: 'off', GOMEMLIMIT: '4GiB' };
/** With more the console's build takes longer on two cores, and a fifteenth more of their time. */
const BUILD_THREADS = '1';

function run(script: readonly string[]): Promise<{ output: string; code: number | null }> {
  const child = spawn('npm', ['run', '--silent', ...script], {
    cwd: new URL('..', import.meta.url),
    env: {
      ...process.env,
      ...LINTER_MEMORY,
      NG_BUILD_MAX_WORKERS: BUILD_THREADS,
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

/** Resolves with whether it passed. */
async function check(script: readonly string[]): Promise<boolean> {
  const startedAtMs = performance.now();
  const { output, code } = await run(script);
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${script.join(' ')} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(output);
  return code === 0;
}

/** Checks that have begun. */
export interface Checks {
  /** Resolves to true once the console is built. */
  readonly built: Promise<boolean>;
  /** Number of failed checks, the build included. */
  readonly failures: Promise<number>;
}

export function startChecks(): Checks {
  const built = check(BUILD);
  const failures = Promise.all([built, ...RULES.map(check)]).then(
    (passed) => passed.filter((one) => !one).length,
  );
  return { built, failures };
}

if (import.meta.main) process.exitCode = (await startChecks().failures) === 0 ? 0 : 1;
