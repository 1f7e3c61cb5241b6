/** How vendors' keys begin and whose they are, the longest beginnings first. */
export const VENDOR_KEYS: readonly (readonly [prefix: string, vendor: string])[] = [
  ['sk-ant-', 'Anthropic'],
  ['sk-proj-', 'OpenAI'],
  ['sk-svcacct-', 'OpenAI'],
  ['sk-admin-', 'OpenAI'],
  ['sk-or-', 'OpenRouter'],
  ['AIza', 'Google'],
  ['gsk_', 'Groq'],
  ['xai-', 'xAI'],
  ['pplx-', 'Perplexity'],
  ['hf_', 'Hugging Face'],
  ['nvapi-', 'NVIDIA'],
];
