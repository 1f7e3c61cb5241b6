import type { ExchangeForm } from '../exchange-form/exchange-form.ts';
import type { GeminiRequest } from './parse-request.ts';
import { readReply } from './read-reply.ts';
import { readRequest } from './read-request.ts';
import { readStream } from './read-stream.ts';
import { writeReply } from './write-reply.ts';
import { writeRequest } from './write-request.ts';
import { writeStream } from './write-stream.ts';

/** Gemini to and from the neutral form. */
export const exchange: ExchangeForm<GeminiRequest> = {
  fieldNames: {
    temperature: 'generationConfig.temperature',
    topP: 'generationConfig.topP',
    topK: 'generationConfig.topK',
    presencePenalty: 'generationConfig.presencePenalty',
    frequencyPenalty: 'generationConfig.frequencyPenalty',
    seed: 'generationConfig.seed',
    stop: 'generationConfig.stopSequences',
    effort: 'generationConfig.thinkingConfig',
    reasoningTokensMax: 'generationConfig.thinkingConfig',
    toolChoice: 'toolConfig',
    format: 'generationConfig.responseJsonSchema',
  },
  readRequest,
  writeRequest,
  readReply,
  writeReply,
  readStream,
  writeStream,
};
