import type { PricingModel } from '@weir/shared/prices/prices';

/** The kind of thing that a model makes, other than a reply in a conversation. */
export type MediaKind = 'image' | 'speech' | 'transcript';

/**
 * Returns what a model makes, by the units that it has a price for; undefined of models that talk,
 * embed or rank. A realtime model needs a session.
 */
export function mediaKindOf({
  prices,
  protocols,
}: Pick<PricingModel, 'prices' | 'protocols'>): MediaKind | undefined {
  if (protocols.includes('openai-realtime')) return undefined;
  const { extra } = prices;
  if (extra.image !== undefined) return 'image';
  if (extra.character !== undefined || protocols.includes('openai-speech')) return 'speech';
  if (extra.second !== undefined || protocols.includes('openai-transcriptions')) {
    return 'transcript';
  }
  // Models of conversations that draw have Gemini's protocol, and are talked to.
  const isOfImages = extra.imageOutput !== undefined && !protocols.includes('gemini');
  return isOfImages ? 'image' : undefined;
}
