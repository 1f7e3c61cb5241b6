import type { Vendor } from '../rule-set.ts';

export const HOSTED_VENDORS: readonly Vendor[] = [];
