import { parseFilter, type Filter } from './filter.ts';
import { locate, type Located, type ResourceKind } from './schema.ts';
import { invalid } from './scim-error.ts';

export type PatchVerb = 'add' | 'replace' | 'remove';

/** The path of an operation (RFC 7644, section 3.5.2). */
export interface PatchPath extends Located {
  /** The values of a list that are meant; undefined for all. */
  readonly filter: Filter | undefined;
}

const PLAIN = /^[A-Za-z][\w$:.-]*$/;
const FILTERED = /^([A-Za-z][\w$:.-]*)\[(.*)\](?:\.([A-Za-z][\w$-]*))?$/s;

function readFilter(text: string): Filter {
  try {
    return parseFilter(text);
  } catch (error) {
    throw invalid('invalidPath', error instanceof Error ? error.message : 'The path is invalid.');
  }
}

/**
 * Reads a path. Undefined for an attribute that Weir does not have, which is then ignored; throws
 * `invalidPath` for what is no path.
 */
export function parsePath(kind: ResourceKind, path: string): PatchPath | undefined {
  const text = path.trim();
  if (PLAIN.test(text)) {
    const found = locate(kind, text);
    return found && { ...found, filter: undefined };
  }
  const [, list, filter, sub] = FILTERED.exec(text) ?? [];
  if (list === undefined || filter === undefined) {
    throw invalid('invalidPath', `"${text.slice(0, 100)}" is no path.`);
  }
  const read = readFilter(filter);
  const found = locate(kind, sub === undefined ? list : `${list}.${sub}`);
  if (found === undefined) return undefined;
  if (found.attribute?.multiValued !== true) {
    throw invalid('invalidPath', `"${list}" is not a list.`);
  }
  return { ...found, filter: read };
}
