import { COST_FIELD } from '../fields/asks-for-cost.ts';

/**
 * Fields that make an upstream charge for something else than the tokens of the model that was
 * priced and held for: more expensive processing, unless the model has a price for it; other models
 * as fallbacks, or a routing of its own (OpenRouter's models, route, provider and preset, LiteLLM's
 * fallbacks and its tests of them); searches, each at a fee of its own (OpenRouter's plugins,
 * OpenAI's web_search_options, xAI's search_parameters, DashScope's enable_search, Groq's
 * compound_custom, which names other models, too). LiteLLM's mock_response would be billed, though
 * no model has said it. They stay here; all others pass through.
 */
export const WITHHELD_FIELDS: ReadonlySet<string> = new Set([
  // Acted on here.
  COST_FIELD,
  'service_tier',
  'models',
  'route',
  'provider',
  'preset',
  'fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
  'mock_testing_fallbacks',
  'mock_testing_context_fallbacks',
  'mock_testing_content_policy_fallbacks',
  'mock_response',
  'plugins',
  'web_search_options',
  'search_parameters',
  'enable_search',
  'compound_custom',
]);
