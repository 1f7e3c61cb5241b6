import * as Type from 'typebox';
import { Check, Clean, Clone } from 'typebox/value';
import { closed, nullable } from '@weir/shared/api/wire-values';
import { UsageRecordAdminPage } from '@weir/shared/watch/usage';
import { AuditEntryPage } from '@weir/shared/people/audit-entries';
import { describe, expect, test } from 'vitest';
import { withoutUnknown } from './without-unknown';

const Inner = closed({ name: Type.String() });
const CASES = [
  { schema: Inner, value: { name: 'a', more: 1 } },
  { schema: Type.Array(Inner), value: [{ name: 'a', more: 1 }, 'b', null] },
  { schema: nullable(Inner), value: { name: 'a', more: 1 } },
  { schema: nullable(Inner), value: null },
  { schema: closed({ inner: Type.Optional(Inner) }), value: { inner: { name: 'a', x: {} }, y: 2 } },
  { schema: Type.Record(Type.String(), Inner), value: { one: { name: 'a', more: 1 }, two: 2 } },
  { schema: closed({ any: Type.Unknown() }), value: { any: { kept: true }, more: 1 } },
  { schema: Type.Union([Inner, closed({ size: Type.Number() })]), value: { size: 1, more: 2 } },
  { schema: Inner, value: { __proto__: null, name: 'a' } },
  { schema: UsageRecordAdminPage, value: { data: [], nextCursor: null, total: 4 } },
  { schema: AuditEntryPage, value: { data: [{ id: 1 }], nextCursor: null, more: [] } },
];

describe('members that the console does not know', () => {
  test.each(CASES)('are left out as TypeBox leaves them out: $value', ({ schema, value }) => {
    const known = withoutUnknown(schema, value);
    const expected: unknown = Clean(schema, Clone(value));
    expect(Check(schema, known)).toBe(Check(schema, expected));
    if (Check(schema, expected)) expect(known).toEqual(expected);
  });

  test('stay where an object is open, and the value itself is not changed', () => {
    const value = { name: 'a', more: 1 };
    expect(withoutUnknown(Type.Object({ name: Type.String() }), value)).toEqual(value);
    expect(withoutUnknown(Inner, value)).toEqual({ name: 'a' });
    expect(value).toEqual({ name: 'a', more: 1 });
  });
});
