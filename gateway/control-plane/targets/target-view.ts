import type { TargetOmission, TargetView } from '@weir/shared/catalog/targets';
import { isGenerating } from '../../protocols/neutral-form/translations/translate.ts';
import { upstreamProtocolOf } from '../../protocols/registry.ts';
import type { TargetProfile } from '../../protocols/target-profile.ts';
import { isProfileId, profileName, profileOf } from '../../providers/profiles/profile-of.ts';
import { providerOf } from '../../providers/registry.ts';
import { spokenProtocols } from '../../providers/spoken-protocols.ts';
import type { ChannelRow } from '../channels/channel-row.ts';
import { learnedRefusalView, type LearnedRefusalRow } from './learned-refusal-row.ts';

/** Says what is done to requests for each model of a channel before they are sent. */
export function targetViews(
  { kind, baseUrl, protocols, models }: ChannelRow,
  learned: readonly LearnedRefusalRow[],
): TargetView[] {
  const provider = providerOf(kind);
  return models.map(({ modelId, upstreamName: upstreamModel, profile: chosen = null }) => {
    const target = { kind, baseUrl, upstreamModel, chosen };
    const spoken = spokenProtocols(provider, protocols, target);
    const generating = spoken.find((id) => isGenerating(upstreamProtocolOf(id)));
    const upstreamProtocol = generating ?? spoken[0] ?? 'openai-chat';
    const profile = profileOf({ ...target, upstreamProtocol });
    return {
      modelId,
      upstreamName: upstreamModel,
      profile: profileName(target),
      isChosen: isProfileId(chosen),
      omissions: omissionsOf(profile),
      refusedFields: [...new Set(profile.refusedFields)],
      efforts: profile.thinking === 'none' ? [] : [...profile.efforts],
      outputLimitField: profile.outputLimitField,
      developerAsSystem: !profile.developerRole,
      toolNameCharactersMax: profile.toolName.charactersMax,
      learned: learned
        .filter((refusal) => refusal.upstreamModel === upstreamModel)
        .map(learnedRefusalView),
    };
  });
}

function omissionsOf(profile: TargetProfile): TargetOmission[] {
  const { thinking, effortWithTools, sampling } = profile;
  const omitted: Readonly<Record<TargetOmission, boolean>> = {
    thinking: thinking === 'none',
    thinking_with_tools: thinking !== 'none' && effortWithTools !== 'accepted',
    sampling: sampling === 'refused',
    sampling_while_thinking: sampling === 'without_thinking',
    top_k: !profile.topK,
    penalties: !profile.penalties,
    seed: profile.seed === 'refused',
    verbosity: !profile.verbosity,
    cache_key: !profile.cacheKey,
    user_id: profile.userIdCharactersMax === 0,
    parallel_switch: !profile.parallelSwitch,
    strict_tools: !profile.strictTools,
  };
  const names = Object.keys(omitted) as TargetOmission[];
  return names.filter((name) => omitted[name]);
}
