import { Shapes } from '../fields/shape.ts';
import { fieldName } from './fields.ts';

/** Names are sent in camel case and in snake case. */
export function inBothCases(known: Shapes): Shapes {
  const both = new Shapes();
  for (const [name, shape] of known) {
    const inner = typeof shape === 'string' ? shape : inBothCases(shape);
    both.set(name, inner);
    both.set(fieldName(name).snake, inner);
  }
  return both;
}
