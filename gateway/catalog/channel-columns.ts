import type { ChannelSetting } from '@weir/shared/catalog/channels';

/**
 * The column of the table `channels` that keeps each setting. Admin API and catalog both read and
 * write by this list; a setting without a column does not compile.
 */
export const CHANNEL_COLUMNS: Readonly<Record<ChannelSetting, string>> = {
  name: 'name',
  kind: 'kind',
  baseUrl: 'base_url',
  status: 'status',
  priority: 'priority',
  weight: 'weight',
  connectTimeoutMs: 'connect_timeout_ms',
  firstByteTimeoutMs: 'first_byte_timeout_ms',
  idleTimeoutMs: 'idle_timeout_ms',
  totalTimeoutMs: 'total_timeout_ms',
  concurrencyMax: 'concurrency_max',
  allowPrivate: 'allow_private',
  outputLimitField: 'output_limit_field',
  omittedFields: 'omitted_fields',
  protocols: 'protocols',
  fieldPolicy: 'field_policy',
  proxy: 'proxy',
  storesResponses: 'stores_responses',
  balanceApi: 'balance_api',
  locations: 'locations',
};

/** The settings in the table `channels c` as columns of a `select`, by their names in the API. */
export const SETTINGS_SQL = Object.entries(CHANNEL_COLUMNS)
  .map(([name, column]) => `c.${column} as "${name}"`)
  .join(', ');
