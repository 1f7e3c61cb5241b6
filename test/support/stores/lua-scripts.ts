import { sourceFiles } from '../sources/source-files.ts';

/** A Lua file of the ledger and what its header comment says. */
export interface LuaFile {
  readonly path: string;
  readonly name: string;
  readonly header: string;
  readonly code: string;
}

const HEADER = /^(?:--\[\[([\s\S]*?)\]\]|((?:--.*\n)+))/;

export function luaFiles(): LuaFile[] {
  return sourceFiles(['.lua']).map(({ path, text }) => {
    const [whole = '', block, lines] = HEADER.exec(text) ?? [];
    return {
      path,
      name: path.slice(path.lastIndexOf('/') + 1),
      header: block ?? lines ?? '',
      code: text.slice(whole.length),
    };
  });
}

/** Indices of KEYS or ARGV that stand as numbers: `ARGV[2]`, and in a header `ARGV[2…]` as well. */
export function indicesOf(text: string, table: 'KEYS' | 'ARGV'): number[] {
  return [...text.matchAll(new RegExp(`${table}\\[(\\d+)`, 'g'))].map(([, index]) => Number(index));
}

/**
 * The names of a header's documented arguments: lines that begin with a name and two spaces, before
 * the answers.
 */
export function documentedArguments(header: string): string[] {
  const before = header.split(/^Returns/m)[0] ?? '';
  return [...before.matchAll(/^ {2}([a-z]\w*) {2,}\S/gm)].map(([, name = '']) => name);
}

export interface LuaOperation {
  readonly letter: string;
  readonly functionName: string;
  /** Arguments that follow the head. */
  readonly arguments: number;
}

function tableOf(code: string, name: string): [string, string][] {
  const body = new RegExp(`local ${name} = \\{([^}]*)\\}`).exec(code)?.[1] ?? '';
  return [...body.matchAll(/(\w+) = (\w+)/g)].map(([, key = '', value = '']) => [key, value]);
}

/**
 * The operations a script dispatches by letter, from its tables `operation_of` and `arguments_of`.
 */
export function operationsOf(code: string): LuaOperation[] {
  const counts = new Map(tableOf(code, 'arguments_of'));
  return tableOf(code, 'operation_of').map(([letter, functionName]) => ({
    letter,
    functionName,
    arguments: Number(counts.get(letter)),
  }));
}
