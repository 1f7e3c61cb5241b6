import { COST_FIELD } from '../../fields/asks-for-cost.ts';

/**
 * Fields that make an upstream charge for something else than the tokens of the model that was
 * priced and held for: other tiers of processing; other models as fallbacks, or a routing of its
 * own (OpenRouter's models, route, provider, preset and plugins, LiteLLM's fallbacks and
 * mock_response). They are not sent; all others pass through.
 */
export const WITHHELD_FIELDS: ReadonlySet<string> = new Set([
  // Acted on here.
  COST_FIELD,
  'service_tier',
  'models',
  'route',
  'provider',
  'preset',
  'plugins',
  'fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'mock_testing_fallbacks',
  'mock_testing_context_fallbacks',
  'mock_testing_content_policy_fallbacks',
  'mock_response',
]);
