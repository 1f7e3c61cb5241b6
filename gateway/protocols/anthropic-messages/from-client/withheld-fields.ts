import { COST_FIELD } from '../../fields/asks-for-cost.ts';

/**
 * Fields that make Anthropic charge for something else than the tokens of the model that was priced
 * and held for. Those of `WITHHELD_FIELDS` are advisory: without them the request is served at the
 * ordinary price. Those of `REFUSED_FIELDS` ask for something that nothing else can stand in for.
 */
export const WITHHELD_FIELDS: ReadonlySet<string> = new Set([
  // Acted on here.
  COST_FIELD,
  // Priority capacity has prices of its own.
  'service_tier',
  // `fast` costs twice as much.
  'speed',
  // Names other models.
  'fallbacks',
]);

/** With the sentence that says what to do instead. */
export const REFUSED_FIELDS: ReadonlyMap<string, string> = new Map([
  [
    'inference_geo',
    'A place of inference has prices of its own and cannot be chosen here. Leave "inference_geo" out.',
  ],
  [
    'mcp_servers',
    'MCP servers that the upstream calls by itself are not offered here. Leave "mcp_servers" out and let your client call them.',
  ],
  [
    'container',
    'A container is kept by one upstream account and costs a fee of its own; it is not offered here. Leave "container" out.',
  ],
  [
    'thread',
    'Threads are kept by one upstream account and are not offered here. Leave "thread" out and send all messages.',
  ],
]);
