import { isJsonObject } from '../../platform/json/json-value.ts';
import { rewriteMembers, type MemberEdit } from '../../platform/json/rewrite-members.ts';
import { scanMembers, type MemberSpans } from '../../platform/json/scan-members.ts';

/**
 * Fields by their path in a body. Lists on the way have no step of their own: `tools.strict` is the
 * field of each tool. `tool_choice=auto` is the field with this value alone. Names match in both
 * spellings of Google's, `topP` and `top_p`.
 */

/** More than any body that Weir has taken in, with what a translation puts around it. */
const DEPTH_MAX = 512;

/** Returns the steps of a path as vendors write them: `tools[0].function.strict`. */
export function stepsOf(path: string): readonly string[] {
  const [names = ''] = path.split('=', 1);
  return names.split(/[.[\]]+/).filter((step) => step !== '' && !/^\d+$/.test(step));
}

/** Reports whether a path means a field with its default alone. */
export function isDefault(path: string): boolean {
  return path.includes('=');
}

/** Reports whether a value is the one that a path names, or the path names none. */
function isValueOf(path: string, value: unknown): boolean {
  const at = path.indexOf('=');
  return at === -1 || (!isJsonObject(value) && String(value) === path.slice(at + 1));
}

export function isSameName(one: string, other: string): boolean {
  return one === other || plain(one) === plain(other);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** A body of which single members can be read without parsing the whole. */
export class ScannedBody {
  readonly bytes: Buffer;
  readonly #spans: MemberSpans;
  readonly #names: readonly string[];
  /** Parsed values: several fields lie in one member, and the messages may have megabytes. */
  readonly #values = new Map<number, unknown>();

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#spans = scanMembers(bytes, DEPTH_MAX);
    const { offsets, count } = this.#spans;
    this.#names = Array.from({ length: count }, (_one, member) =>
      bytes.toString('latin1', offsets[member * 4], offsets[member * 4 + 1]),
    );
  }

  /** Reports whether the body has the field anywhere. */
  has(path: string): boolean {
    const [first = '', ...rest] = stepsOf(path);
    const name = this.#nameOf(first);
    if (name === undefined) return false;
    if (rest.length === 0 && !isDefault(path)) return true;
    return hasField(this.value(name), rest, path);
  }

  /** Returns the parsed value of a member; undefined where there is none. */
  value(name: string): unknown {
    const { offsets } = this.#spans;
    const member = this.#names.findIndex((one) => isSameName(one, name));
    if (member === -1) return undefined;
    if (!this.#values.has(member)) {
      const text = this.bytes.toString('utf8', offsets[member * 4 + 2], offsets[member * 4 + 3]);
      this.#values.set(member, JSON.parse(text));
    }
    return this.#values.get(member);
  }

  /**
   * Returns the bytes without these fields, and without objects that would be empty, also in lists;
   * the same bytes where the body has none of them.
   * @param allocate memory for the new body
   */
  without(paths: readonly string[], allocate: (bytes: number) => Buffer): Buffer {
    const changed = new Map<string, unknown>();
    for (const path of paths) {
      const [first = '', ...rest] = stepsOf(path);
      const name = this.#nameOf(first);
      if (name === undefined || (changed.has(name) && changed.get(name) === undefined)) continue;
      if (rest.length === 0 && !isDefault(path)) {
        changed.set(name, undefined);
        continue;
      }
      const value = changed.get(name) ?? this.value(name);
      const left = withoutField(value, rest, path);
      if (left !== value) changed.set(name, left);
    }
    const edits = [...changed].map(([name, value]): MemberEdit => {
      return { name, value: value === undefined ? undefined : JSON.stringify(value) };
    });
    if (edits.length === 0) return this.bytes;
    return rewriteMembers(this.bytes, this.#spans, edits, allocate);
  }

  #nameOf(step: string): string | undefined {
    return this.#names.find((name) => isSameName(name, step));
  }
}

/** @param path names the value of the last step, if any */
function hasField(value: unknown, steps: readonly string[], path: string): boolean {
  const [first, ...rest] = steps;
  if (first === undefined) return isValueOf(path, value);
  if (Array.isArray(value)) return value.some((one) => hasField(one, steps, path));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, inner]) => isSameName(name, first) && hasField(inner, rest, path),
  );
}

/** Returns the same value where the field is not in it; undefined for an object that is empty. */
function withoutField(value: unknown, steps: readonly string[], path: string): unknown {
  const [first, ...rest] = steps;
  if (first === undefined) return isValueOf(path, value) ? undefined : value;
  if (Array.isArray(value)) {
    const items = value.map((one: unknown) => withoutField(one, steps, path));
    if (items.every((item, index) => item === value[index])) return value;
    return items.filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  const name = Object.keys(value).find((one) => isSameName(one, first));
  if (name === undefined) return value;
  const left = withoutField(value[name], rest, path);
  if (left === value[name]) return value;
  const { [name]: _removed, ...others } = value;
  if (left !== undefined) return { ...value, [name]: left };
  return Object.keys(others).length === 0 ? undefined : others;
}
