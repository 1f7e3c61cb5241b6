import { describeAiSdk } from './support/ai-sdk.ts';

await describeAiSdk({
  ai: '6.0.326',
  '@ai-sdk/anthropic': '3.0.140',
  '@ai-sdk/openai': '3.0.141',
  '@ai-sdk/google': '3.0.141',
});
