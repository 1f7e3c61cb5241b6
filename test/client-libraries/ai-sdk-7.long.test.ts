import { describeAiSdk } from './support/ai-sdk.ts';

await describeAiSdk({
  ai: '7.0.173',
  '@ai-sdk/anthropic': '4.0.105',
  '@ai-sdk/openai': '4.0.118',
  '@ai-sdk/google': '4.0.121',
});
