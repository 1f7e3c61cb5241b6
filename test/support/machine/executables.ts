import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Where Debian and its relatives keep PostgreSQL's server programs, one folder per major version.
 */
const POSTGRES_ROOT = '/usr/lib/postgresql';

/** The oldest PostgreSQL and Redis that Weir runs on. */
const POSTGRES_MAJOR_MIN = 15;
const REDIS_MAJOR_MIN = 7;

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

/**
 * The major version a program states, by a pattern whose first group is the number; 0 when it
 * states none.
 */
function majorVersion(program: string, pattern: RegExp): number {
  try {
    return Number(
      pattern.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1] ?? 0,
    );
  } catch {
    return 0;
  }
}

function postgresFolders(): string[] {
  try {
    return readdirSync(POSTGRES_ROOT)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(POSTGRES_ROOT, version, 'bin'));
  } catch {
    return [];
  }
}

/**
 * The folder with `initdb` and `postgres`, 15 or later: from PATH, else the newest under
 * /usr/lib/postgresql.
 */
export function findPostgresFolder(): string | undefined {
  return [...pathFolders(), ...postgresFolders()].find((folder) => {
    const programs = [join(folder, 'initdb'), join(folder, 'postgres')];
    if (!programs.every(isExecutable)) return false;
    return majorVersion(join(folder, 'postgres'), /PostgreSQL\) (\d+)/) >= POSTGRES_MAJOR_MIN;
  });
}

/** `redis-server`, version 7 or later. */
export function findRedisServer(): string | undefined {
  return pathFolders()
    .map((folder) => join(folder, 'redis-server'))
    .find((path) => isExecutable(path) && majorVersion(path, /v=(\d+)/) >= REDIS_MAJOR_MIN);
}

/** A Chromium: CHROMIUM_PATH when set, else by its usual names on PATH. */
export function findChromium(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined) return isExecutable(given) ? given : undefined;
  return CHROMIUM_NAMES.flatMap((name) => pathFolders().map((folder) => join(folder, name))).find(
    isExecutable,
  );
}

/** PgBouncer, where it is installed: sbin is in root's PATH alone. */
export function findPgBouncer(): string | undefined {
  return [...pathFolders(), '/usr/sbin']
    .map((folder) => join(folder, 'pgbouncer'))
    .find(isExecutable);
}

/** nginx, where it is installed: sbin is in root's PATH alone. */
export function findNginx(): string | undefined {
  return [...pathFolders(), '/usr/sbin'].map((folder) => join(folder, 'nginx')).find(isExecutable);
}

/** The library of Debian's package libfaketime for programs with threads. */
export function findFakeTime(): string | undefined {
  return ['x86_64', 'aarch64']
    .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
    .find((path) => existsSync(path));
}

/** Makes and decodes files of audio. */
export function findFfmpeg(): string | undefined {
  return pathFolders()
    .map((folder) => join(folder, 'ffmpeg'))
    .find(isExecutable);
}
