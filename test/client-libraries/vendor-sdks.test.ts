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
import { serveLibraries, type ServedLibraries } from './support/serve-libraries.ts';

let library: ServedLibraries;
const served = (): ServedLibraries => library;

/** A failure leaves its mark on a channel: each version has its own. */
const soldTo = <Sold extends { readonly publicId: string }>(sold: Sold, buyer: string): Sold => ({
  ...sold,
  publicId: `${sold.publicId}-${buyer}`,
});

const ANTHROPIC_1 = soldTo(OVER_ANTHROPIC, 'anthropic-1');
const ANTHROPIC_0 = soldTo(OVER_ANTHROPIC, 'anthropic-0');
const RESPONSES_7 = soldTo(OVER_RESPONSES, 'openai-7');
const RESPONSES_6 = soldTo(OVER_RESPONSES, 'openai-6');
const CHAT_7 = soldTo(OVER_CHAT, 'openai-7');
const CHAT_6 = soldTo(OVER_CHAT, 'openai-6');
const GEMINI_3 = soldTo(OVER_GEMINI, 'genai-3');
const GEMINI_2 = soldTo(OVER_GEMINI, 'genai-2');

beforeAll(async () => {
  library = await serveLibraries([
    ...[ANTHROPIC_1, ANTHROPIC_0, RESPONSES_7, RESPONSES_6, CHAT_7, CHAT_6, GEMINI_3, GEMINI_2],
    ...[OVER_CHAT, EMBEDDING],
  ]);
});

afterAll(() => library.close());

await describeAnthropicSdk({
  packageName: '@anthropic-ai/sdk',
  served,
  models: { Anthropic: ANTHROPIC_1.publicId, chat: OVER_CHAT.publicId },
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

await describeAnthropicSdk({
  packageName: 'anthropic-sdk-0',
  served,
  models: { Anthropic: ANTHROPIC_0.publicId, chat: OVER_CHAT.publicId },
  exceptions: {
    noMoney: [402, 'APIError'],
    unknownModel: [404, 'NotFoundError'],
    unknownKey: [401, 'AuthenticationError'],
    overflow: [400, 'BadRequestError'],
    rateLimited: [429, 'RateLimitError'],
    overloaded: [529, 'InternalServerError'],
    requestsUntilSuccess: 2,
  },
});

/** The same in both versions. */
const OPENAI_EXCEPTIONS = {
  chat: {
    noMoney: [402, 'APIError'],
    unknownModel: [404, 'NotFoundError'],
    unknownKey: [401, 'AuthenticationError'],
    overflow: [400, 'BadRequestError'],
    rateLimited: [429, 'RateLimitError'],
    overloaded: [502, 'InternalServerError'],
    requestsUntilSuccess: 2,
  },
  Responses: {
    noMoney: [429, 'RateLimitError'],
    unknownModel: [404, 'NotFoundError'],
    unknownKey: [401, 'AuthenticationError'],
    overflow: [400, 'BadRequestError'],
    rateLimited: [429, 'RateLimitError'],
    overloaded: [502, 'InternalServerError'],
    requestsUntilSuccess: 2,
  },
} as const;

await describeOpenAiSdk({
  packageName: 'openai',
  served,
  models: { chat: CHAT_7.publicId, Responses: RESPONSES_7.publicId },
  exceptions: OPENAI_EXCEPTIONS,
});

await describeOpenAiSdk({
  packageName: 'openai-6',
  served,
  models: { chat: CHAT_6.publicId, Responses: RESPONSES_6.publicId },
  exceptions: OPENAI_EXCEPTIONS,
});

const GENAI_EXCEPTIONS = {
  noMoney: [402, 'ApiError'],
  unknownModel: [404, 'ApiError'],
  unknownKey: [401, 'ApiError'],
  overflow: [400, 'ApiError'],
  rateLimited: [429, 'ApiError'],
  overloaded: [502, 'ApiError'],
  requestsUntilSuccess: 1,
} as const;

await describeGoogleGenAi({
  packageName: '@google/genai',
  served,
  models: { Gemini: GEMINI_3.publicId, chat: OVER_CHAT.publicId },
  exceptions: GENAI_EXCEPTIONS,
});

await describeGoogleGenAi({
  packageName: 'google-genai-2',
  served,
  models: { Gemini: GEMINI_2.publicId, chat: OVER_CHAT.publicId },
  exceptions: GENAI_EXCEPTIONS,
});
