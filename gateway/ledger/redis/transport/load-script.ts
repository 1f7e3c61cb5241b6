import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface LoadedScript {
  readonly source: string;
  /** The name for EVALSHA. */
  readonly sha: string;
  /** Decoding of the reply's strings; default `utf8`. */
  readonly replyEncoding?: 'utf8' | 'buffer';
}

const INCLUDE = /^-- include (\S+\.lua)$/gm;
const PLACEHOLDER = /%([A-Z][A-Z_]*)%/g;

/**
 * Reads a Lua script, inserts the files that it includes (once each, one level deep) and replaces
 * `%NAME%` placeholders with constants. Throws when a file or a constant is missing.
 */
export function loadScript(
  directory: URL,
  name: string,
  constants: Readonly<Record<string, number>>,
): LoadedScript {
  const read = (file: string): string => readFileSync(new URL(file, directory), 'utf8');
  const source = read(name)
    .replace(INCLUDE, (_line, file: string) => read(file))
    .replace(PLACEHOLDER, (placeholder, constant: string) => {
      const value = constants[constant];
      if (value === undefined) throw new Error(`${name}: no value for ${placeholder}`);
      return String(value);
    });
  return scriptOf(source);
}

/** The same script, allowed to run when Redis is out of memory: for scripts that free memory. */
export function runsWithoutMemory({ source }: LoadedScript): LoadedScript {
  return scriptOf(`#!lua flags=allow-oom\n${source}`);
}

function scriptOf(source: string): LoadedScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}
