import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface LoadedScript {
  readonly source: string;
  /** What EVALSHA names it by. */
  readonly sha: string;
  /** What strings of its reply become; `utf8` when absent. */
  readonly replyEncoding?: 'utf8' | 'buffer';
}

const INCLUDE = /^-- include (\S+\.lua)$/gm;
const PLACEHOLDER = /%([A-Z][A-Z_]*)%/g;

/**
 * Reads a Lua script, puts the files that it includes in place (once each, one level deep) and the
 * constants into their `%NAME%` placeholders. Throws when a file or a constant is missing.
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

/** The same script, which also runs while Redis has no memory left: for what makes room again. */
export function runsWithoutMemory({ source }: LoadedScript): LoadedScript {
  return scriptOf(`#!lua flags=allow-oom\n${source}`);
}

function scriptOf(source: string): LoadedScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}
