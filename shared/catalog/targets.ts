import * as Type from 'typebox';
import type { Static } from 'typebox';
import { listOf } from '../api/pages.ts';
import { PROTOCOL_IDS } from './protocols.ts';
import { choice, closed, Count, Id, Instant, nullable } from '../api/wire-values.ts';

/**
 * A target profile: `generic`, a vendor, or `<vendor>/<family>`, either of which may be `generic`.
 */
export const ProfileId = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z0-9.-]+(?:/[a-z0-9.-]+)?$',
});

/** A vendor or a family of models, with the sources of its rules. */
const ProfilePart = closed({
  id: Type.String(),
  label: Type.String(),
  source: Type.String(),
  checkedOn: Type.String(),
});

/** The profiles that an operator can choose from. */
export const TargetProfileList = closed({
  vendors: Type.Array(ProfilePart),
  families: Type.Array(ProfilePart),
});
export type TargetProfileList = Static<typeof TargetProfileList>;

/** The features that a profile leaves out of requests that ask for them. */
export const TARGET_OMISSIONS = [
  'thinking',
  'thinking_with_tools',
  'sampling',
  'sampling_while_thinking',
  'top_k',
  'penalties',
  'seed',
  'verbosity',
  'cache_key',
  'user_id',
  'parallel_switch',
  'strict_tools',
] as const;
export type TargetOmission = (typeof TARGET_OMISSIONS)[number];

/** A field that an upstream has refused by name, and without which it took the same request. */
export const LearnedRefusalView = closed({
  id: Id,
  protocol: choice(PROTOCOL_IDS),
  /** Its path in the upstream's body, such as `reasoning.summary`. */
  field: Type.String(),
  /** The upstream's words. */
  message: Type.String(),
  /** False while only requests of one account were refused: it holds for that account alone. */
  isForAll: Type.Boolean(),
  learnedAt: Instant,
  /** Null: kept for good. */
  expiresAt: nullable(Instant),
});
export type LearnedRefusalView = Static<typeof LearnedRefusalView>;

export const LearnedRefusalUpdate = closed({
  /** True: left out for good; false: for a day more. */
  kept: Type.Boolean(),
});
export type LearnedRefusalUpdate = Static<typeof LearnedRefusalUpdate>;

/** One model of a channel: which profile is in force, what it does, and what was learned. */
export const TargetView = closed({
  modelId: Id,
  upstreamName: Type.String(),
  /** The profile in force, such as `openai/gpt-5.1` or `generic`. */
  profile: Type.String(),
  /** False: by the channel's address and the upstream's name of the model. */
  isChosen: Type.Boolean(),
  omissions: Type.Array(choice(TARGET_OMISSIONS)),
  /** Members of a body that are never sent. */
  refusedFields: Type.Array(Type.String()),
  /** The words for efforts that are taken; others become the nearest of them. */
  efforts: Type.Array(Type.String()),
  /** The new name of the output limit; null: unchanged. */
  outputLimitField: nullable(Type.String()),
  /** Role `developer` becomes `system`. */
  developerAsSystem: Type.Boolean(),
  /** Longer names of tools, or such with other letters, are replaced. */
  toolNameCharactersMax: Count,
  learned: Type.Array(LearnedRefusalView),
});
export type TargetView = Static<typeof TargetView>;

export const TargetList = listOf(TargetView);
export type TargetList = Static<typeof TargetList>;
