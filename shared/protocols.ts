/** The protocols of clients and upstreams, by the names that catalog, records and channels use. */
export const PROTOCOL_IDS = [
  'openai-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-responses',
  'anthropic-messages',
  'gemini',
] as const;
export type ProtocolId = (typeof PROTOCOL_IDS)[number];
