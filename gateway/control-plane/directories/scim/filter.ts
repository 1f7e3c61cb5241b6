import { invalid } from './scim-error.ts';

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];
export type FilterValue = string | boolean | null;

/** A filter as it was read (RFC 7644, section 3.4.2.2). Names are as they were sent. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'present'; readonly path: string }
  | {
      readonly kind: 'compare';
      readonly path: string;
      readonly operator: Operator;
      readonly value: FilterValue;
    }
  /** A value of a list for which `of` holds: `emails[type eq "work"]`. */
  | { readonly kind: 'some'; readonly path: string; readonly of: Filter };

const FILTER_CHARACTERS_MAX = 4_000;
const DEPTH_MAX = 20;

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;

function tokensOf(text: string): string[] {
  if (text.length > FILTER_CHARACTERS_MAX)
    throw invalid('invalidFilter', 'The filter is too long.');
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (match === null) throw invalid('invalidFilter', 'The filter has a text without its end.');
    tokens.push(match[1] ?? match[2] ?? match[3] ?? '');
  }
  return tokens;
}

/** Reads a filter, token by token. */
class FilterReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  whole(): Filter {
    const filter = this.#either(0);
    const left = this.#tokens[this.#at];
    if (left !== undefined) throw invalid('invalidFilter', `The filter goes on with "${left}".`);
    return filter;
  }

  #either(depth: number): Filter {
    if (depth > DEPTH_MAX) throw invalid('invalidFilter', 'The filter is nested too deeply.');
    let left = this.#both(depth);
    while (this.#takes('or')) left = { kind: 'or', left, right: this.#both(depth) };
    return left;
  }

  #both(depth: number): Filter {
    let left = this.#one(depth);
    while (this.#takes('and')) left = { kind: 'and', left, right: this.#one(depth) };
    return left;
  }

  #one(depth: number): Filter {
    if (this.#takes('not')) return { kind: 'not', of: this.#one(depth + 1) };
    if (this.#takes('(')) {
      const inner = this.#either(depth + 1);
      this.#expect(')');
      return inner;
    }
    const path = this.#next();
    if (!/^[A-Za-z]/.test(path)) throw invalid('invalidFilter', `"${path}" is no attribute.`);
    if (this.#takes('[')) return this.#values(path, depth);
    return this.#comparison(path);
  }

  /** `emails[type eq "work"]`, perhaps with `.value eq "…"` behind it. */
  #values(path: string, depth: number): Filter {
    const of = this.#either(depth + 1);
    this.#expect(']');
    const behind = this.#tokens[this.#at];
    if (behind?.startsWith('.') !== true) return { kind: 'some', path, of };
    this.#at += 1;
    const sub = this.#comparison(behind.slice(1));
    return { kind: 'some', path, of: { kind: 'and', left: of, right: sub } };
  }

  #comparison(path: string): Filter {
    const written = this.#next();
    const word = written.toLowerCase();
    if (word === 'pr') return { kind: 'present', path };
    const operator = OPERATORS.find((one) => one === word);
    if (operator === undefined) throw invalid('invalidFilter', `"${written}" is no operator.`);
    return { kind: 'compare', path, operator, value: valueOf(this.#next()) };
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw invalid('invalidFilter', `The filter lacks a "${token}".`);
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw invalid('invalidFilter', 'The filter ends too early.');
    this.#at += 1;
    return token;
  }
}

/**
 * A text without quotation marks is taken as it is: Microsoft's examples of `externalId` have none,
 * and a directory whose query is refused enters the person again. No attribute is a number.
 */
function valueOf(token: string): FilterValue {
  if (token.startsWith('"')) {
    try {
      return JSON.parse(token) as string;
    } catch {
      throw invalid('invalidFilter', 'A text of the filter has an unknown escape.');
    }
  }
  const lower = token.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  return lower === 'null' ? null : token;
}

/** Reads a filter. Throws `invalidFilter` for one that cannot be read. */
export function parseFilter(text: string): Filter {
  return new FilterReader(text).whole();
}
