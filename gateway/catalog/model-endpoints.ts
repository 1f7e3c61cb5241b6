import { ENDPOINTS, type ServedEndpoint } from '../protocols/registry.ts';
import { channelCodecs, type ModelWay } from './channel-codecs.ts';
import type { Operation } from '../protocols/protocol.ts';

/**
 * Returns the endpoints at which a model can be asked for what it makes, over any of its routes.
 * The price list and the refusals of other endpoints both say so.
 */
export function modelEndpoints(
  publicId: string,
  routes: readonly ModelWay[],
): readonly ServedEndpoint[] {
  const operations = operationsOf(publicId);
  return ENDPOINTS.filter(
    (endpoint) =>
      'creates' in endpoint &&
      operations.includes(endpoint.operation) &&
      endpoint.cloud === undefined &&
      routes.some((route) => channelCodecs(route, endpoint).length > 0),
  );
}

/** Words in the names of models that make images; some of these are asked by chat. */
const DRAWS = /image|dall-e|imagen|flux|seedream|diffusion|recraft|ideogram/i;
/** Whole words: others such as `kitts` have it by chance. */
const SPEAKS = /(?<![a-z])(?:tts|speech|playai-tts|orpheus)(?![a-z])/i;
const CONVERSES = /realtime/i;
const RERANKS = /rerank/i;
const MODERATES = /moderation/i;

/** Words in the names of such models, of all vendors. */
const TRANSCRIBES = /whisper|transcri(?:be|ption)|\basr\b/i;

/** Reports whether a model turns speech into text, by its name: the catalog does not say so. */
export function transcribes(model: string): boolean {
  return TRANSCRIBES.test(model);
}

/**
 * Nothing in the catalog distinguishes a model that embeds from one that generates, and a channel
 * may serve both. All vendors name them so.
 */
const EMBEDS = /embed/i;

/** Reports whether a model makes embeddings, by its name. */
export function embeds(model: string): boolean {
  return EMBEDS.test(model);
}

function operationsOf(publicId: string): readonly Operation[] {
  if (embeds(publicId)) return ['embed'];
  if (RERANKS.test(publicId)) return ['rerank'];
  if (MODERATES.test(publicId)) return ['moderate'];
  if (transcribes(publicId)) return ['transcribe', 'translate'];
  if (CONVERSES.test(publicId)) return ['realtime'];
  if (SPEAKS.test(publicId)) return ['speak'];
  return DRAWS.test(publicId) ? ['generate', 'draw', 'edit'] : ['generate'];
}
