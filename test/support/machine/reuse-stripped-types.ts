/**
 * Preloaded into every process and thread of a test run. Node takes the types out of each
 * TypeScript file in each thread that loads it, which was a third of what a gateway's start costs:
 * here the first thread of the run leaves its result to the others. Files of a run do not change
 * while it goes on.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

/** In the run's folder, next to the copy of this file that is preloaded. */
const KEPT = fileURLToPath(new URL('stripped-types/', import.meta.url));

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function stripped(url: string): string {
  const kept = `${KEPT}${createHash('sha1').update(url).digest('hex')}.js`;
  const known = readKept(kept);
  if (known !== undefined) return known;
  const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
  // Another thread must never read the half of it.
  const own = `${kept}.${process.pid}.${threadId}`;
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(own, source);
  renameSync(own, kept);
  return source;
}

registerHooks({
  // Node would look for the file, its real path, and the package that says what it is.
  resolve: (specifier, context, nextResolve) =>
    specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL !== undefined
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : nextResolve(specifier, context),
  load: (url, context, nextLoad) =>
    url.startsWith('file:') && url.endsWith('.ts')
      ? { format: 'module', source: stripped(url), shortCircuit: true }
      : nextLoad(url, context),
});
