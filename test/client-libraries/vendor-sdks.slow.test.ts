import { afterAll, beforeAll } from 'vitest';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from '../agent-tools/support/models-for-sale.ts';
import { describeAnthropicSdk } from './support/anthropic-sdk.ts';
import { EMBEDDING } from './support/embedding-model.ts';
import { describeGoogleGenAi } from './support/google-genai.ts';
import { describeOpenAiSdk } from './support/openai-sdk.ts';
import { GENAI_EXCEPTIONS, OPENAI_EXCEPTIONS } from './support/sdk-exceptions.ts';
import { serveLibraries, type ServedLibraries } from './support/serve-libraries.ts';

let library: ServedLibraries;
const served = (): ServedLibraries => library;

/** A failure leaves its mark on a channel, so the models have channels of their own. */
const CHAT = { ...OVER_CHAT, publicId: `${OVER_CHAT.publicId}-openai` };

beforeAll(async () => {
  library = await serveLibraries([
    ...[OVER_ANTHROPIC, OVER_RESPONSES, OVER_GEMINI],
    ...[CHAT, OVER_CHAT, EMBEDDING],
  ]);
});

afterAll(() => library.close());

await describeAnthropicSdk({
  packageName: '@anthropic-ai/sdk',
  served,
  models: { Anthropic: OVER_ANTHROPIC.publicId, chat: OVER_CHAT.publicId },
  exceptions: {
    noMoney: [402, 'PaymentRequiredError'],
    unknownModel: [404, 'NotFoundError'],
    unknownKey: [401, 'AuthenticationError'],
    overflow: [400, 'BadRequestError'],
    rateLimited: [429, 'RateLimitError'],
    overloaded: [529, 'OverloadedError'],
    requestsUntilSuccess: 2,
  },
});

await describeOpenAiSdk({
  packageName: 'openai',
  served,
  models: { chat: CHAT.publicId, Responses: OVER_RESPONSES.publicId },
  exceptions: OPENAI_EXCEPTIONS,
});

await describeGoogleGenAi({
  packageName: '@google/genai',
  served,
  models: { Gemini: OVER_GEMINI.publicId, chat: OVER_CHAT.publicId },
  exceptions: GENAI_EXCEPTIONS,
});
