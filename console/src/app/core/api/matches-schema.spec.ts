import * as Type from 'typebox';
import type { TSchema } from 'typebox';
import { Check, Clean, Clone } from 'typebox/value';
import { closed, nullable } from '@weir/shared/api/wire-values';
import { ADMIN_SCHEMAS } from '@weir/shared/api/admin-schemas';
import { UsageRecordAdminPage } from '@weir/shared/watch/usage';
import { AuditEntryPage } from '@weir/shared/people/audit-entries';
import { expect, test } from 'vitest';
import { matchesSchema } from './matches-schema';

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

/** Texts and numbers near the limits of the contracts, and values of every other kind. */
const VALUES = [
  ...[
    '',
    'a',
    'é'.repeat(40),
    '😀',
    '😀'.repeat(30),
    'x'.repeat(300),
    '0',
    '-1.5',
    '12.123456789',
    '#a1b2c3',
    'true',
  ],
  ...['2026-01-31', '2026-02-30', '2026-01-31T12:00:00.000Z', '2026-01', 'person@example.org'],
  ...['019c1d62-f6fd-7c2a-8dd6-94bf942dc77b', 'https://example.org/', 'gpt-6', 'active', 'en'],
  ...[0, 1, -1, 1.5, 1e12, null, true, false, [], ['a'], ['a', 'a'], {}, { a: 1 }],
];

interface Nesting {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
}

/** Adds a schema and all that it nests. */
function collect(schema: TSchema, seen: Set<TSchema>): Set<TSchema> {
  if (seen.has(schema)) return seen;
  seen.add(schema);
  const { properties = {}, patternProperties = {}, anyOf = [], items }: Nesting = schema;
  const inner = [properties, patternProperties].flatMap((members) => Object.values(members));
  for (const one of [...inner, ...anyOf, ...(items === undefined ? [] : [items])]) {
    collect(one, seen);
  }
  return seen;
}

/** A value of the schema, if `VALUES` has its leaves. */
function sampleOf(schema: TSchema): unknown {
  const { properties, items, anyOf }: Nesting = schema;
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0]);
  if (items !== undefined) return [sampleOf(items)];
  if (properties === undefined) return VALUES.find((value) => Check(schema, value));
  const members = Object.entries(properties).map(([name, one]) => [name, sampleOf(one)]);
  return Object.fromEntries(members);
}

/** A sample, and it with each of its members left out and each replaced by something else. */
function variantsOf(schema: TSchema): unknown[] {
  const sample = sampleOf(schema);
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) {
    return [sample, ...VALUES];
  }
  const variants = Object.keys(sample).flatMap((name) => {
    const { [name]: _left, ...rest } = sample as Record<string, unknown>;
    return [rest, { ...rest, [name]: null }];
  });
  return [sample, ...variants, {}, { a: 1 }, [], null, 'a'];
}

test.each(CASES)('Members that the console does not know are ignored: $value', (one) => {
  const known: unknown = Clean(one.schema, Clone(one.value));
  expect(matchesSchema(one.schema, one.value)).toBe(Check(one.schema, known));
});

/** As TypeBox says, without the members that a closed object does not know. */
function isTaken(schema: TSchema, value: unknown): boolean {
  // Where others are allowed by a schema, `Clean` removes those that break it.
  const isClosed = !JSON.stringify(schema).includes('"additionalProperties":{');
  const hasUnknown = typeof value === 'object' && value !== null && 'a' in value;
  if (Check(schema, value)) return true;
  return isClosed && hasUnknown && Check(schema, Clean(schema, Clone(value)));
}

test('Every schema of the admin API takes and refuses values as TypeBox does', () => {
  const all = new Set<TSchema>();
  for (const schema of Object.values(ADMIN_SCHEMAS)) collect(schema, all);
  const unlike = [...new Map([...all].map((one) => [JSON.stringify(one), one])).values()];
  let taken = 0;
  for (const schema of unlike) {
    for (const value of variantsOf(schema)) {
      const expected = isTaken(schema, value);
      if (expected) taken += 1;
      if (matchesSchema(schema, value) !== expected) expect({ schema, value }).toBe(expected);
    }
  }
  expect(unlike.length).toBeGreaterThan(400);
  expect(taken).toBeGreaterThan(unlike.length);
});
