/**
 * The usage table has one partition per month. They are created in advance, so that none is missing
 * when its month begins.
 */
export const PARTITIONS_EVERY_MS = 6 * 3_600_000;

const MONTHS_AHEAD = 2;

export const MAKE_PARTITIONS = `select ensure_usage_partitions(${MONTHS_AHEAD})`;
