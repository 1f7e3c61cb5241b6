/**
 * Fields that make an upstream charge for something else than the tokens of the model that was priced and held for: dearer
 * processing; other models as fallbacks, a routing of its own; searches, each at a fee of its own (OpenRouter's plugins,
 * OpenAI's web_search_options, xAI's search_parameters, DashScope's enable_search). They stay here; all others pass through.
 */
export const WITHHELD_FIELDS: ReadonlySet<string> = new Set([
  'service_tier',
  'models',
  'route',
  'provider',
  'plugins',
  'web_search_options',
  'search_parameters',
  'enable_search',
]);
