import type { CatalogSnapshot } from '../catalog/snapshot.ts';

/** The cheapest model that some channel serves: for the line to try after a start. */
export function exampleModel({ models, channels }: CatalogSnapshot): string | null {
  const served = new Set(
    channels.flatMap((channel) => channel.models.map(({ modelId }) => modelId)),
  );
  const [cheapest] = models
    .filter(({ id }) => served.has(id))
    .toSorted((a, b) => a.prices.outputNanoUsd - b.prices.outputNanoUsd);
  return cheapest?.publicId ?? null;
}
