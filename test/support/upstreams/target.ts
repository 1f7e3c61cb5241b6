import type { Target, UpstreamProtocolId } from '../../../gateway/protocols/protocol.ts';
import type { TargetProfile } from '../../../gateway/protocols/target-profile.ts';
import { profileOf } from '../../../gateway/providers/profiles/profile-of.ts';

/** Returns the profile of a model at the vendor whose own protocol it is. */
export function ownProfile(
  upstreamProtocol: UpstreamProtocolId,
  upstreamModel: string,
): TargetProfile {
  const chosen = VENDORS[upstreamProtocol];
  const baseUrl = 'http://upstream.test';
  return profileOf({ kind: 'openai', baseUrl, upstreamModel, upstreamProtocol, chosen });
}

const VENDORS: Readonly<Record<UpstreamProtocolId, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  'openai-completions': 'openai',
  'openai-transcriptions': 'openai',
  'openai-speech': 'openai',
  'openai-realtime': 'openai',
  rerank: 'openai',
  'openai-embeddings': 'openai',
  'openai-images': 'openai',
  'openai-moderations': 'openai',
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
  'bedrock-converse': 'bedrock',
  'vertex-predict': 'vertex',
};

/** A channel that calls the model "upstream" and wants nothing else. */
export function targetOf(
  target: Partial<Target> = {},
  upstreamProtocol: UpstreamProtocolId = 'openai-chat',
): Target {
  const { upstreamModel = 'upstream' } = target;
  return {
    upstreamModel,
    profile: ownProfile(upstreamProtocol, upstreamModel),
    outputLimitField: null,
    omittedFields: [],
    outputTokensMax: 4_096,
    outputTokensCap: null,
    allocate: (bytes) => Buffer.allocUnsafe(bytes),
    ...target,
  };
}
