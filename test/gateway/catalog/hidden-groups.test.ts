/** A group that an account may not use does not exist for it: no refusal names or reveals it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Catalog } from '../../../gateway/catalog/catalog.ts';
import { refuseProtocol } from '../../../gateway/catalog/refuse-group.ts';
import { refuseModel } from '../../../gateway/catalog/refuse-model.ts';
import type { GroupEntry, ModelEntry } from '../../../gateway/catalog/snapshot.ts';
import type { Membership } from '../../../gateway/catalog/memberships.ts';

const PRICES = {
  ...{ inputNanoUsd: 3, cachedInputNanoUsd: 2, cacheWriteNanoUsd: 4, outputNanoUsd: 9 },
  perCallNanoUsd: 0,
};
const MODELS = ['mark-0', 'mark-1', 'vendor/mark-0', 'mark-2'];

const groups = fc.uniqueArray(
  fc.record({
    name: fc.integer({ min: 100, max: 999 }).map((number) => `group-${String(number)}`),
    isPublic: fc.boolean(),
    isMember: fc.boolean(),
    active: fc.boolean(),
    multiplierPpm: fc.integer({ min: 0, max: 3_000_000 }),
    ownPpm: fc.option(fc.integer({ min: 0, max: 3_000_000 })),
    modelIds: fc.subarray(MODELS),
    protocols: fc.constantFrom<GroupEntry['protocols']>(null, ['gemini'], ['openai-chat']),
  }),
  { minLength: 2, maxLength: 6, selector: ({ name }) => name },
);

it('a key learns nothing of groups that are not for its account', () => {
  fc.assert(
    fc.property(
      groups,
      fc.constantFrom(...MODELS, 'MARK-2', 'x/mark-1', 'nonsense'),
      (all, asked) => {
        const memberships = new Map<string, Membership>(
          all
            .filter(({ isMember }) => isMember)
            .map(({ name, ownPpm }) => [name, { groupId: name, multiplierPpm: ownPpm }]),
        );
        const entries = all.map(
          ({ name, isPublic, active, multiplierPpm, modelIds, protocols }): GroupEntry => ({
            id: name,
            name,
            ...{ isPublic, active, multiplierPpm, modelIds, protocols, rpm: null, tpm: null },
          }),
        );
        const models = MODELS.map(
          (publicId) =>
            ({ id: publicId, publicId, prices: PRICES, longContext: null }) as ModelEntry,
        );
        const catalogOf = (known: readonly GroupEntry[]) => {
          const listed = new Set(known.flatMap(({ modelIds }) => modelIds));
          return new Catalog({
            version: 1,
            groups: known,
            models: models.filter(({ id }) => listed.has(id)),
            channels: [],
            uncheckedKeyPrefixes: [],
          });
        };
        const open = entries.filter(({ id, isPublic }) => isPublic || memberships.has(id));
        for (const { id: groupId } of open) {
          const to = { groupId, memberships };
          // The same as where the other groups and their models do not exist.
          const [seen, alone] = [catalogOf(entries), catalogOf(open)].map((catalog) => {
            const offer = catalog.offer(to, asked);
            const protocol = 'anthropic-messages';
            return {
              offer: 'missing' in offer ? offer : offer.group.multiplierPpm,
              model: refuseModel(asked, offer),
              protocol: refuseProtocol(catalog, { to, protocol, model: asked }),
              listed: catalog.models(groupId).map(({ publicId }) => publicId),
            };
          });
          expect(seen).toEqual(alone);
          const own = memberships.get(groupId)?.multiplierPpm;
          if (typeof seen?.offer === 'number' && own != null) expect(seen.offer).toBe(own);
        }
      },
    ),
    { numRuns: 500 },
  );
});
