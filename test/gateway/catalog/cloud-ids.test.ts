import { describe, expect, it } from 'vitest';
import { Catalog } from '../../../gateway/catalog/catalog.ts';
import type { GroupEntry, ModelEntry } from '../../../gateway/catalog/snapshot.ts';

const CLOUD_ID = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

const TO = { groupId: 'g', memberships: new Map() };

/**
 * @param sold those of the group
 * @param elsewhere those of another public group
 */
function catalogOf(all: readonly string[], sold = all, elsewhere: readonly string[] = []): Catalog {
  const models = all.map((publicId) => ({ id: publicId, publicId }) as ModelEntry);
  const groups = [
    { id: 'g', modelIds: sold, isPublic: true },
    { id: 'other', modelIds: elsewhere, isPublic: true },
    { id: 'hidden', modelIds: all, isPublic: false },
  ] as GroupEntry[];
  return new Catalog({ version: 1, groups, models, channels: [], uncheckedKeyPrefixes: [] });
}

describe('a catalog', () => {
  it('finds a model by its own id before any other', () => {
    const catalog = catalogOf([CLOUD_ID, 'claude-sonnet-4-5']);
    expect(catalog.publicIdOf(TO, CLOUD_ID)).toBe(CLOUD_ID);
  });

  it('finds the most exact of several', () => {
    const catalog = catalogOf(['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929']);
    expect(catalog.publicIdOf(TO, CLOUD_ID)).toBe('claude-sonnet-4-5-20250929');
  });

  it('finds the one that the group sells', () => {
    const all = ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'];
    const catalog = catalogOf(all, ['claude-sonnet-4-5']);
    expect(catalog.publicIdOf(TO, CLOUD_ID)).toBe('claude-sonnet-4-5');
    expect(catalogOf(all, [], all).publicIdOf(TO, CLOUD_ID)).toBe('claude-sonnet-4-5-20250929');
  });

  it('does not tell of a model of groups that the account may not use', () => {
    expect(catalogOf(['claude-sonnet-4-5'], []).publicIdOf(TO, CLOUD_ID)).toBe(CLOUD_ID);
  });

  it('leaves a name alone that is of no model', () => {
    expect(catalogOf(['claude-opus-5-5']).publicIdOf(TO, CLOUD_ID)).toBe(CLOUD_ID);
    expect(catalogOf([]).publicIdOf({ ...TO, groupId: 'none' }, 'no-such-model')).toBe(
      'no-such-model',
    );
  });
});
