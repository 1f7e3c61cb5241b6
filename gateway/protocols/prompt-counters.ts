import { countPrompt as anthropicMessages } from './anthropic-messages/from-client/count-prompt.ts';
import { countPrompt as gemini } from './gemini/from-client/count-prompt.ts';
import { countPrompt as openaiChat } from './openai-chat/from-client/count-prompt.ts';
import { countPrompt as openaiCompletions } from './openai-completions/from-client/count-prompt.ts';
import { countPrompt as openaiEmbeddings } from './openai-embeddings/from-client/count-prompt.ts';
import { countPrompt as openaiImages } from './openai-images/from-client/count-prompt.ts';
import { countPrompt as openaiModerations } from './openai-moderations/from-client/count-prompt.ts';
import { countPrompt as openaiRealtime } from './openai-realtime/from-client/count-prompt.ts';
import { countPrompt as openaiResponses } from './openai-responses/from-client/count-prompt.ts';
import { countPrompt as openaiSpeech } from './openai-speech/from-client/count-prompt.ts';
import { countPrompt as openaiTranscriptions } from './openai-transcriptions/from-client/count-prompt.ts';
import { countPrompt as rerank } from './rerank/from-client/count-prompt.ts';
import type { CountPrompt, ProtocolId } from './protocol.ts';

/**
 * The counter of each protocol's prompts. Next to the registry, not in it: workers need nothing
 * else of a protocol, and each of them would load and keep all of it.
 */
export const PROMPT_COUNTERS: Readonly<Record<ProtocolId, CountPrompt>> = {
  'openai-chat': openaiChat,
  'openai-realtime': openaiRealtime,
  'openai-responses': openaiResponses,
  'openai-speech': openaiSpeech,
  'openai-completions': openaiCompletions,
  'openai-embeddings': openaiEmbeddings,
  'openai-images': openaiImages,
  'openai-moderations': openaiModerations,
  'openai-transcriptions': openaiTranscriptions,
  'anthropic-messages': anthropicMessages,
  gemini,
  rerank,
};
