import { anthropic } from './anthropic/provider.ts';
import { azureOpenai } from './azure-openai/provider.ts';
import { bedrock } from './bedrock/provider.ts';
import { gemini } from './gemini/provider.ts';
import { openaiCompatible } from './openai-compatible/provider.ts';
import type { Provider, ProviderKind } from './provider.ts';
import { vertex } from './vertex/provider.ts';

const PROVIDERS: Readonly<Record<ProviderKind, Provider>> = {
  openai: openaiCompatible,
  demo: openaiCompatible,
  anthropic,
  gemini,
  azure: azureOpenai,
  bedrock,
  vertex,
};

export function providerOf(kind: ProviderKind): Provider {
  return PROVIDERS[kind];
}
