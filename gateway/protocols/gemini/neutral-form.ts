import type { NeutralForm } from '../neutral-form/neutral-form.ts';
import type { GeminiRequest } from './from-client/parse-request.ts';
import { readReply } from './from-upstream/read-reply.ts';
import { readRequest } from './from-client/read-request.ts';
import { readStream } from './from-upstream/read-stream.ts';
import { writeReply } from './to-client/write-reply.ts';
import { writeRequest } from './to-upstream/write-request.ts';
import { writeStream } from './to-client/write-stream.ts';

/** Gemini to and from the neutral form. */
export const neutralForm: NeutralForm<GeminiRequest> = {
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
