import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian and its relatives keep PostgreSQL's server binaries, one folder per major version. */
const POSTGRES_ROOT = '/usr/lib/postgresql';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The full path of a program, looked for on PATH and then in `extraFolders`; undefined when there is none. */
export function findExecutable(
  name: string,
  extraFolders: readonly string[] = [],
): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...extraFolders];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** A PostgreSQL server program (`initdb`, `postgres`): on PATH, or the newest under /usr/lib/postgresql. */
export function findPostgresExecutable(name: string): string | undefined {
  let versions: string[];
  try {
    versions = readdirSync(POSTGRES_ROOT);
  } catch {
    versions = [];
  }
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  return findExecutable(
    name,
    newestFirst.map((version) => join(POSTGRES_ROOT, version, 'bin')),
  );
}
