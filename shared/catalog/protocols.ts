/** The protocols of clients, by the names that catalog, records and channels use. */
export const PROTOCOL_IDS = [
  'openai-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-images',
  'openai-moderations',
  'openai-realtime',
  'openai-responses',
  'openai-speech',
  'openai-transcriptions',
  'anthropic-messages',
  'gemini',
  'rerank',
] as const;
export type ProtocolId = (typeof PROTOCOL_IDS)[number];

/** The protocols of upstreams: all that clients speak, and those that no client speaks. */
export const UPSTREAM_PROTOCOL_IDS = [
  ...PROTOCOL_IDS,
  'bedrock-converse',
  'vertex-predict',
] as const;
export type UpstreamProtocolId = (typeof UPSTREAM_PROTOCOL_IDS)[number];

/** The protocols that an upstream may be addressed in, by the names of the gateway's protocols. */
export const CHANNEL_PROTOCOLS = [
  'openai-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-images',
  'openai-moderations',
  'openai-realtime',
  'openai-responses',
  'openai-speech',
  'openai-transcriptions',
  'rerank',
] as const;
export type ChannelProtocol = (typeof CHANNEL_PROTOCOLS)[number];
