import { spawnSync } from 'node:child_process';
import {
  findChromium,
  findFakeTime,
  findFfmpeg,
  findNginx,
  findPgBouncer,
  findPostgresFolder,
  findRedisServer,
} from './executables.ts';

/**
 * Programs the tests run for real. Tests kill and restart servers of their own, so these are needed
 * even with DATABASE_URL or REDIS_URL.
 */
interface Prerequisite {
  readonly name: string;
  readonly debianPackages: readonly string[];
  readonly find: () => string | undefined;
}

const PREREQUISITES: readonly Prerequisite[] = [
  { name: 'Redis 7 or later', debianPackages: ['redis-server'], find: findRedisServer },
  { name: 'PostgreSQL 15 or later', debianPackages: ['postgresql'], find: findPostgresFolder },
  { name: 'PgBouncer', debianPackages: ['pgbouncer'], find: findPgBouncer },
  { name: 'nginx', debianPackages: ['nginx'], find: findNginx },
  // Chromium only recommends a font, and draws nothing without one.
  { name: 'Chromium', debianPackages: ['chromium', 'fonts-liberation'], find: findChromium },
];

/** Prerequisites of `npm run test:long` alone. */
const LONG_PREREQUISITES: readonly Prerequisite[] = [
  { name: 'libfaketime', debianPackages: ['libfaketime'], find: findFakeTime },
  { name: 'FFmpeg', debianPackages: ['ffmpeg'], find: findFfmpeg },
];

function missing(long: boolean): Prerequisite[] {
  const wanted = long ? [...PREREQUISITES, ...LONG_PREREQUISITES] : PREREQUISITES;
  return wanted.filter(({ find }) => find() === undefined);
}

function aptGet(args: readonly string[]): boolean {
  const { status } = spawnSync('apt-get', args, {
    // apt's own output goes to stderr: stdout carries results only.
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

function install(wanted: readonly Prerequisite[]): void {
  const packages = wanted.flatMap(({ debianPackages }) => debianPackages);
  process.stderr.write(`Installing what the tests need: ${packages.join(' ')}\n`);
  // A failed update may still leave lists that are good enough, so the install decides.
  aptGet(['update', '-qq']);
  aptGet(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}

/**
 * Answers nothing when every program is there, after installing what was missing where that is
 * possible (as root on Debian or a relative), and else one sentence that says what to install.
 */
export function satisfyPrerequisites(long = false): string | undefined {
  const wanted = missing(long);
  if (wanted.length === 0) return undefined;
  if (process.getuid?.() === 0) install(wanted);
  const left = missing(long);
  if (left.length === 0) return undefined;
  const names = left.map(({ name }) => name).join(', ');
  const packages = left.flatMap(({ debianPackages }) => debianPackages).join(' ');
  return `The tests need ${names}: install with "apt-get install ${packages}" or put it on PATH.`;
}
