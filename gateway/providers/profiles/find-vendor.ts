import type { ProviderKind } from '../provider.ts';
import type { Vendor } from './rule-set.ts';
import { FIRST_PARTY_VENDORS } from './vendors/first-party.ts';
import { HOSTED_VENDORS } from './vendors/hosted.ts';
import { OWN_SERVERS } from './vendors/own-servers.ts';

export const VENDORS: readonly Vendor[] = [
  ...FIRST_PARTY_VENDORS,
  ...HOSTED_VENDORS,
  ...OWN_SERVERS,
];

const HOST_PATTERNS: readonly (readonly [RegExp, Vendor])[] = VENDORS.flatMap((vendor) =>
  vendor.hosts.map((host) => [patternOf(host), vendor] as const),
);

function patternOf(host: string): RegExp {
  const escaped = host.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9.-]+');
  return new RegExp(`^${escaped}$`);
}

/** Finds the vendor of a channel; undefined for an address that is not known. */
export function findVendor(kind: ProviderKind, baseUrl: string): Vendor | undefined {
  const host = hostOf(baseUrl);
  return (
    HOST_PATTERNS.find(([pattern]) => pattern.test(host))?.[1] ??
    VENDORS.find(({ kinds }) => kinds?.includes(kind) ?? false)
  );
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
}
