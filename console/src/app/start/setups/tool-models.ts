import type { PricingModel } from '@weir/shared/prices/prices';
import { compare } from '../../core/format/decimal';
import { presetModel, priceIn } from '../../models/preset-model';
import { talkProtocols } from '../../playground/dialects/dialect';
import { mediaKindOf, type MediaKind } from '../../playground/media/media-kind';
import type { Tool } from './tool-setup';

/** Models of one vendor, which tools of that vendor are made for. */
export type ModelFamily = 'claude' | 'gpt' | 'gemini' | 'qwen';

export const FAMILY_NAMES: Readonly<Record<ModelFamily, string>> = {
  claude: 'Claude',
  gpt: 'GPT',
  gemini: 'Gemini',
  qwen: 'Qwen',
};

interface FamilyNames {
  readonly member: RegExp;
  /** For daily work. */
  readonly main: RegExp;
  /** For background work. */
  readonly small: RegExp;
}

/** Parts of public model IDs, as the vendors name their models. */
const FAMILIES: Readonly<Record<ModelFamily, FamilyNames>> = {
  claude: { member: /claude/i, main: /sonnet/i, small: /haiku/i },
  gpt: {
    member: /\bgpt\b/i,
    main: /^(?!.*(?:mini|nano|luna))/i,
    small: /mini|nano|luna/i,
  },
  gemini: { member: /gemini/i, main: /pro\b/i, small: /flash/i },
  qwen: { member: /qwen/i, main: /coder|max/i, small: /flash|turbo/i },
};

/** The model IDs that a tool's settings name. */
interface ToolModels {
  readonly model: string;
  readonly smallModel: string;
  readonly opusModel: string;
  readonly sonnetModel: string;
  /** False if the tool has a family and the key cannot use a model of it. */
  readonly isOfFamily: boolean;
}

/** Longer numbers are dates. */
const VERSION_PART = /(?<!\d)\d{1,2}(?!\d)/g;

function versionOf(publicId: string): number[] {
  return [...publicId.matchAll(VERSION_PART)].map(([digits]) => Number(digits));
}

/** Newer first. */
function byVersion(one: PricingModel, other: PricingModel): number {
  const [mine, theirs] = [versionOf(one.publicId), versionOf(other.publicId)];
  for (let index = 0; index < Math.max(mine.length, theirs.length); index += 1) {
    const difference = (theirs[index] ?? -1) - (mine[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The models that the tool can talk to: embeddings and the like are none. */
export function modelsFor({ protocol }: Tool, models: readonly PricingModel[]): PricingModel[] {
  return models.filter(({ protocols }) => talkProtocols(protocols).includes(protocol));
}

/** The model IDs for images and sound; a kind that the key cannot use is absent. */
export type MediaModels = Readonly<Partial<Record<MediaKind, string>>>;

/** Chooses the newest model of each kind among those that a key can use. */
export function suggestMedia(usable: readonly PricingModel[]): MediaModels {
  const media: Partial<Record<MediaKind, string>> = {};
  for (const model of usable.toSorted(byVersion)) {
    const kind = mediaKindOf(model);
    if (kind !== undefined) media[kind] ??= model.publicId;
  }
  return media;
}

interface Circumstances {
  /** The operator's choice of a model; '' for none. */
  readonly wanted: string;
  /** The group whose prices count. */
  readonly groupId: string | undefined;
}

/**
 * Chooses models for a tool among those that its key can use: of the tool's family the newest for
 * daily work and a cheap one for the background. The operator's choice wins where it is of the
 * family. Returns undefined if there is no model at all.
 */
export function suggestModels(
  tool: Tool,
  usable: readonly PricingModel[],
  { wanted, groupId }: Circumstances,
): ToolModels | undefined {
  const models = modelsFor(tool, usable);
  const family = tool.family && FAMILIES[tool.family];
  const members = models.filter(({ publicId }) => family?.member.test(publicId) === true);
  const newest = (candidates: readonly PricingModel[]): string | undefined =>
    candidates.toSorted(
      (one, other) =>
        byVersion(one, other) || compare(priceIn(one, groupId), priceIn(other, groupId)),
    )[0]?.publicId;
  const named = (name: RegExp): string | undefined =>
    newest(members.filter(({ publicId }) => name.test(publicId)));
  const cheapest = (of: readonly PricingModel[]): string | undefined =>
    presetModel(of.toSorted(byVersion), { wanted: '', groupId })?.publicId;

  const chosen = members.find(({ publicId }) => publicId === wanted)?.publicId;
  const ofFamily = chosen ?? (family && named(family.main)) ?? newest(members);
  const model = ofFamily ?? presetModel(models, { wanted, groupId })?.publicId;
  if (model === undefined) return undefined;
  return {
    model,
    smallModel:
      (family && named(family.small)) ??
      cheapest(ofFamily === undefined ? models : members) ??
      model,
    opusModel: named(/opus/i) ?? model,
    sonnetModel: named(/sonnet/i) ?? model,
    isOfFamily: family === undefined || ofFamily !== undefined,
  };
}
