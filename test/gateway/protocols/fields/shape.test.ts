import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contents, fits, shapes, strip } from '../../../../gateway/protocols/fields/shape.ts';

const KNOWN = shapes('id model', [
  ['usage', shapes('total')],
  ['choices', contents('text index', [['usage', shapes('total')]])],
]);
const NAMES = ['id', 'model', 'usage', 'choices', 'text', 'index', 'total', 'x'];

/** Objects of the known names, of others, and of known names at the wrong depth. */
const { any } = fc.letrec<{ any: unknown; list: unknown; object: object }>((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, fc.constantFrom(1, 'text', null), tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 3 }),
  object: fc
    .uniqueArray(fc.constantFrom(...NAMES), { maxLength: 5 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, tie('any')])))),
}));

/** The rule of `fits`, looking up each name by itself. */
function isAllowed(value: unknown, path: string): boolean {
  if (Array.isArray(value)) return value.every((element) => isAllowed(element, path));
  if (typeof value !== 'object' || value === null) return true;
  const allowed: Record<string, readonly string[]> = {
    '': ['id', 'model', 'usage', 'choices'],
    '.usage': ['total'],
    '.choices': ['text', 'index', 'usage'],
    '.choices.usage': ['total'],
  };
  const names = allowed[path];
  if (names === undefined) return false;
  return Object.entries(value).every(([name, inner]) => {
    if (!names.includes(name)) return false;
    const isContent = path === '.choices' && name !== 'usage';
    return isContent || isAllowed(inner, `${path}.${name}`);
  });
}

describe('a shape', () => {
  it('fits the same objects, whichever came before them', () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 2, maxLength: 6 }), (values) => {
        for (const value of values) expect(fits(value, KNOWN)).toBe(isAllowed(value, ''));
      }),
      { numRuns: 2000 },
    );
  });

  it('fits objects of more members than are remembered', () => {
    const names = Array.from({ length: 100 }, (_, index) => `field_${index}`);
    const known = shapes(names.join(' '));
    const value = Object.fromEntries(names.map((name) => [name, 1]));
    for (let time = 0; time < 2; time += 1) {
      expect(fits(value, known)).toBe(true);
      expect(fits({ ...value, other: 1 }, known)).toBe(false);
    }
  });

  it('takes out what does not fit, after an object that did', () => {
    expect(strip({ id: 1, model: 2 }, KNOWN)).toBe(false);
    const object = { id: 1, extra: 2, usage: { total: 3, extra: 4 } };
    expect(strip(object, KNOWN)).toBe(true);
    expect(object).toEqual({ id: 1, usage: { total: 3 } });
  });
});
