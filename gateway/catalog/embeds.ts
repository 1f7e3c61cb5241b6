/**
 * Nothing in the catalog tells a model that embeds from one that generates, and a channel may serve
 * both. All vendors name them so.
 */
const EMBEDS = /embed/i;

/** Whether a model makes embeddings, by its name. */
export function embeds(model: string): boolean {
  return EMBEDS.test(model);
}
