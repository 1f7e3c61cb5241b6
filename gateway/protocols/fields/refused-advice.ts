import { isJsonObject } from '../../platform/json/json-value.ts';
import type { UpstreamProtocolId } from '../protocol.ts';
import { ADVISORY_FIELDS } from './advisory-fields.ts';
import { isDefault, isSameName, stepsOf, type ScannedBody } from './field-path.ts';

/** Parts of a conversation that never have a mark of the cache: others keep theirs. */
const UNMARKED_PARTS: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking']);

/** The object of Converse in which a model's own fields are, which the model's words leave out. */
const MODEL_FIELDS = 'additionalModelRequestFields';

/**
 * Returns the advisory fields of a body that an upstream's refusal names, as `ADVISORY_FIELDS` has
 * them. What the body does not have was only quoted, and what carries meaning is not left out.
 * @param named paths as the vendor writes them
 */
export function refusedAdvice(
  body: ScannedBody,
  protocol: UpstreamProtocolId,
  named: readonly string[],
): readonly string[] {
  const advice = Object.keys(ADVISORY_FIELDS[protocol]);
  const fields = named.flatMap((path) => fieldsNamed(stepsOf(path), advice, body));
  return [...new Set(fields)];
}

function fieldsNamed(
  named: readonly string[],
  advice: readonly string[],
  body: ScannedBody,
): readonly string[] {
  const present = advice.filter((path) => isNamedBy(named, stepsOf(path)) && body.has(path));
  if (present.length > 0) return named[0] === '*' ? present : shortest(present);
  const around = undividedAround(named, advice);
  if (around !== undefined) return body.has(around) ? [around] : [];
  return wholeObject(named, advice, body);
}

/** Returns the field at the top that a path is in, where no part of it can be left out alone. */
function undividedAround(named: readonly string[], advice: readonly string[]): string | undefined {
  const [first = ''] = named;
  const inside = advice.filter((path) => isSameName(stepsOf(path)[0] ?? '', first));
  const [only = ''] = inside;
  return named.length > 1 && inside.length === 1 && !only.includes('.') && !isDefault(only)
    ? only
    : undefined;
}

/**
 * Reports whether a vendor's path refers to a field. The path may have the kind of a part or tool
 * between its steps (`tools.custom.strict`); it may also be the field's name alone.
 */
function isNamedBy(named: readonly string[], field: readonly string[]): boolean {
  const [first = ''] = named;
  if (field[0] === MODEL_FIELDS && first !== MODEL_FIELDS) return isNamedBy(named, field.slice(1));
  const isLast = isSameName(named.at(-1) ?? '', field.at(-1) ?? '');
  if (!isLast) return false;
  if (named.length === 1 || first === '*') return true;
  if (!isSameName(first, field[0] ?? '')) return false;
  if (named.some((step) => UNMARKED_PARTS.has(step)) && field[0] === 'messages') return false;
  let at = 0;
  for (const step of named) if (isSameName(step, field[at] ?? '')) at += 1;
  return at === field.length;
}

/** A name alone means the field at the top, if there is one. */
function shortest(paths: readonly string[]): readonly string[] {
  const length = Math.min(...paths.map((path) => stepsOf(path).length));
  return paths.filter((path) => stepsOf(path).length === length).slice(0, 1);
}

/** The fields of an object that is refused as a whole, if all that it has is advice. */
function wholeObject(
  named: readonly string[],
  advice: readonly string[],
  body: ScannedBody,
): readonly string[] {
  const [first = ''] = named;
  const path = stepsOf(advice.find((one) => isWithin(stepsOf(one), named)) ?? '');
  if (path.length === 0) return [];
  let value = body.value(first);
  for (const step of named.slice(1)) {
    value = isJsonObject(value)
      ? Object.entries(value).find(([name]) => isSameName(name, step))?.[1]
      : undefined;
  }
  if (!isJsonObject(value)) return [];
  const leaves = leavesOf(value, path.slice(0, named.length));
  const present = advice.filter((one) => body.has(one));
  const fields = leaves.map((leaf) => present.find((one) => isAtOrBelow(leaf, stepsOf(one))));
  return fields.every((field) => field !== undefined) ? fields : [];
}

function isWithin(field: readonly string[], named: readonly string[]): boolean {
  return field.length > named.length && isAtOrBelow(field, named);
}

function isAtOrBelow(path: readonly string[], above: readonly string[]): boolean {
  return above.every((step, index) => isSameName(step, path[index] ?? ''));
}

function leavesOf(value: unknown, at: readonly string[]): readonly (readonly string[])[] {
  if (!isJsonObject(value)) return [at];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...at, name]));
}
