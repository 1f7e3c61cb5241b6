import type { Route } from '../../catalog/catalog.ts';
import { providerOf } from '../../providers/registry.ts';

/**
 * Returns a route once for each location that the channel has for its model, the best first: with
 * the base address of that location. The route itself where the channel has none.
 */
export function locatedRoutes<R extends Route>(route: R): readonly R[] {
  const { channel, upstreamModel } = route;
  const provider = providerOf(channel.kind);
  const locations = locationsOf(channel.locations ?? [], upstreamModel);
  if (provider.atLocation === undefined || locations.length === 0) return [route];
  return locations.map((location) => {
    const baseUrl = provider.atLocation?.(channel.baseUrl, location) ?? channel.baseUrl;
    return { ...route, location, channel: { ...channel, baseUrl } };
  });
}

/** Locations of one model take the place of those of all. */
function locationsOf(entries: readonly string[], upstreamModel: string): readonly string[] {
  const prefix = `${upstreamModel}=`;
  const own = entries
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => entry.slice(prefix.length));
  return [...new Set(own.length > 0 ? own : entries.filter((entry) => !entry.includes('=')))];
}
