import type { AskedTier } from '../protocol.ts';

/** Names of what is billed at the ordinary prices. */
const ORDINARY: ReadonlySet<string> = new Set([
  '',
  'auto',
  'default',
  'standard',
  'standard_only',
  'on_demand',
  'unspecified',
  'service_tier_unspecified',
]);

/** Vertex's prefix of the name of a tier. */
const PREFIX = /^on_demand_(?=.)/;

/** The name of a tier of processing, as price lists have it; undefined for the ordinary one. */
export function tierName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase().replace(PREFIX, '');
  return ORDINARY.has(name) ? undefined : name;
}

/** @param field under the name that was sent */
export function askedTier(field: string, value: unknown): AskedTier | undefined {
  const name = tierName(value);
  return name === undefined ? undefined : { field, name };
}
