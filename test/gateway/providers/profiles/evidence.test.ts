/** Every rule can be checked again by a later reader: it has its source and the day of reading. */
import { describe, expect, it } from 'vitest';
import { FAMILIES } from '../../../../gateway/providers/profiles/find-family.ts';
import { VENDORS } from '../../../../gateway/providers/profiles/find-vendor.ts';
import type { RuleSet } from '../../../../gateway/providers/profiles/rule-set.ts';

const RULE_SETS: readonly (readonly [string, RuleSet])[] = [
  ...FAMILIES.map((family) => [`family ${family.id}`, family] as const),
  ...VENDORS.flatMap((vendor) => [
    [`vendor ${vendor.id}`, vendor] as const,
    ...(vendor.families ?? []).map((set) => [`${vendor.id} × ${set.of.join()}`, set] as const),
  ]),
];

/** A package with its version, or an issue of a public repository, or a page of a vendor. */
const SOURCE = /\b\d+\.\d+\.\d+\b|\w\/[\w.-]+#\d+|\w+\.\w+\/|\bAWS\b/;

describe('rules of targets', () => {
  it.each(RULE_SETS)('%s names its source', (_name, { source }) => {
    expect(source).toMatch(SOURCE);
  });

  it.each(RULE_SETS)('%s names the day on which it was checked', (_name, { checkedOn }) => {
    expect(checkedOn).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(Number.isNaN(Date.parse(checkedOn))).toBe(false);
  });

  it('ids are unique', () => {
    for (const ids of [FAMILIES.map(({ id }) => id), VENDORS.map(({ id }) => id)]) {
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => !/^[a-z][a-z0-9.-]*$/.test(id))).toEqual([]);
    }
  });

  it('vendors name families that there are', () => {
    const known = new Set(FAMILIES.map(({ id }) => id));
    const named = VENDORS.flatMap(({ families = [] }) => families.flatMap(({ of }) => of));
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });
});
