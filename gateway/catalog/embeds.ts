/**
 * Nothing in the catalog distinguishes a model that embeds from one that generates, and a channel
 * may serve both. All vendors name them so.
 */
const EMBEDS = /embed/i;

/** Reports whether a model makes embeddings, by its name. */
export function embeds(model: string): boolean {
  return EMBEDS.test(model);
}
