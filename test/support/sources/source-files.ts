import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Folders that are made, fetched or kept for reading, not written. */
const NOT_OURS = new Set([
  '.angular',
  '.git',
  'coverage',
  'data',
  'dist',
  'node_modules',
  'recordings',
  'results',
]);

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_OURS.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield relative(ROOT, path).split(sep).join('/');
  }
}

/** The paths of all files that are written by hand, in order. */
export function sourcePaths(): string[] {
  return [...walk(ROOT)].sort();
}

export function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The files of some kinds (`.ts`) under some folders (`gateway/`). */
export function sourceFiles(
  extensions: readonly string[],
  folders: readonly string[] = [''],
): SourceFile[] {
  return sourcePaths()
    .filter((path) => extensions.some((extension) => path.endsWith(extension)))
    .filter((path) => folders.some((folder) => path.startsWith(folder)))
    .map((path) => ({ path, text: readSource(path) }));
}

/** Lines as an editor numbers them. */
export function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
