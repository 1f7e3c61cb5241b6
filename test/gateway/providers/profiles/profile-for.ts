import {
  profileOf,
  type ProfileTarget,
} from '../../../../gateway/providers/profiles/profile-of.ts';
import type { UpstreamProtocolId } from '../../../../gateway/protocols/protocol.ts';
import type { TargetProfile } from '../../../../gateway/protocols/target-profile.ts';

/** A channel whose address is not known. */
export function targetOf(upstreamModel: string, target: Partial<ProfileTarget> = {}) {
  return {
    kind: 'openai',
    baseUrl: 'https://models.example.com/v1',
    upstreamModel,
    chosen: null,
    ...target,
  } as const satisfies ProfileTarget;
}

export function profileFor(
  upstreamModel: string,
  target: Partial<ProfileTarget> & { readonly protocol?: UpstreamProtocolId } = {},
): TargetProfile {
  const { protocol = 'openai-chat', ...rest } = target;
  return profileOf({ ...targetOf(upstreamModel, rest), upstreamProtocol: protocol });
}
