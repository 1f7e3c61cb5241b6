import type { Vendor } from '../rule-set.ts';

export const OWN_SERVERS: readonly Vendor[] = [];
