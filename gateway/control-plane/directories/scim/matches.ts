import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { Filter, FilterValue, Operator } from './filter.ts';
import { invalid } from './scim-error.ts';
import { attributeIn, type Attribute } from './schema.ts';

/** Compares texts, of which some are written with other cases by every client. */
function comparable(attribute: Attribute, value: unknown): string {
  const text = String(value);
  return attribute.caseExact === true ? text : text.toLowerCase();
}

function compare(operator: Operator, left: string, right: string): boolean {
  switch (operator) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
  }
}

/** True when the filter holds for one value of a list: the part in brackets of a path. */
export function matches(filter: Filter, value: JsonObject, attribute: Attribute): boolean {
  switch (filter.kind) {
    case 'and':
      return matches(filter.left, value, attribute) && matches(filter.right, value, attribute);
    case 'or':
      return matches(filter.left, value, attribute) || matches(filter.right, value, attribute);
    case 'not':
      return !matches(filter.of, value, attribute);
    case 'some':
      throw invalid('invalidPath', 'A filter in brackets contains no other brackets.');
    case 'present':
    case 'compare': {
      const sub = attributeIn(attribute.subAttributes, filter.path);
      if (sub === undefined) throw invalid('invalidPath', `"${filter.path}" is no sub-attribute.`);
      const actual = value[sub.name];
      if (filter.kind === 'present') return actual !== undefined;
      // A value without `primary` is not the primary one.
      const known = actual ?? (sub.type === 'boolean' ? false : undefined);
      if (known === undefined) return filter.operator === 'ne';
      return compare(filter.operator, comparable(sub, known), comparable(sub, filter.value));
    }
  }
}

/** The values that a filter of equations demands: `type eq "work"` is `{ type: 'work' }`. */
export function equationsOf(filter: Filter): readonly (readonly [string, FilterValue])[] | null {
  if (filter.kind === 'compare' && filter.operator === 'eq') return [[filter.path, filter.value]];
  if (filter.kind !== 'and') return null;
  const left = equationsOf(filter.left);
  const right = equationsOf(filter.right);
  return left === null || right === null ? null : [...left, ...right];
}
