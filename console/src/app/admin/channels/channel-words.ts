import type { ChannelKind, ChannelView, CredentialView } from '@weir/shared/catalog/channels';
import type { PlainKey } from '../../core/i18n/i18n';

interface KindWords {
  readonly name: PlainKey;
  readonly hint: PlainKey;
  /** An example of the base address. */
  readonly example: string;
  readonly baseUrlHint: PlainKey;
  /** The form of a credential, if it is more than a key. */
  readonly credentialHint?: PlainKey;
}

/** The console's texts for each kind of channel. */
export const KIND_WORDS: Readonly<Record<ChannelKind, KindWords>> = {
  openai: {
    name: 'channels.kind.openai',
    hint: 'channels.kindHint.openai',
    example: 'https://api.openai.com/v1',
    baseUrlHint: 'channels.baseUrlHint.openai',
  },
  anthropic: {
    name: 'channels.kind.anthropic',
    hint: 'channels.kindHint.anthropic',
    example: 'https://api.anthropic.com',
    baseUrlHint: 'channels.baseUrlHint.anthropic',
  },
  gemini: {
    name: 'channels.kind.gemini',
    hint: 'channels.kindHint.gemini',
    example: 'https://generativelanguage.googleapis.com',
    baseUrlHint: 'channels.baseUrlHint.gemini',
  },
  azure: {
    name: 'channels.kind.azure',
    hint: 'channels.kindHint.azure',
    example: 'https://{resource}.openai.azure.com',
    baseUrlHint: 'channels.baseUrlHint.azure',
  },
  bedrock: {
    name: 'channels.kind.bedrock',
    hint: 'channels.kindHint.bedrock',
    example: 'https://bedrock-runtime.{region}.amazonaws.com',
    baseUrlHint: 'channels.baseUrlHint.bedrock',
    credentialHint: 'channels.credentialHint.bedrock',
  },
  vertex: {
    name: 'channels.kind.vertex',
    hint: 'channels.kindHint.vertex',
    example:
      'https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}',
    baseUrlHint: 'channels.baseUrlHint.vertex',
  },
  demo: {
    name: 'channels.kind.demo',
    hint: 'channels.kindHint.demo',
    example: '',
    baseUrlHint: 'channels.baseUrlHint.openai',
  },
};

/** The end of a key, or whose file it is. */
export function credentialName({ hint }: Pick<CredentialView, 'hint'>): string {
  return hint.length <= HINT_END_CHARACTERS ? `…${hint}` : hint;
}

/** Number of a key's last characters that are known. */
const HINT_END_CHARACTERS = 4;

type AwayModel = ChannelView['health']['limitedModels'][number];

/** The reasons why a model of a channel gets no requests at the moment. */
export const MODEL_REASONS = ['limited', 'missing', 'failing'] as const;

/** Texts for the number of models of a channel that get no requests, and for the consequence. */
export const REASON_WORDS = {
  limited: { count: 'channels.limited', hint: 'channels.limitedHint' },
  missing: { count: 'channels.missing', hint: 'channels.missingHint' },
  failing: { count: 'channels.failing', hint: 'channels.failingHint' },
} as const;

export function modelsAway(
  { health }: Pick<ChannelView, 'health'>,
  reason: AwayModel['reason'],
): readonly AwayModel[] {
  return health.limitedModels.filter((model) => model.reason === reason);
}
