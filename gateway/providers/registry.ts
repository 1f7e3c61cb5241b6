import { anthropic } from './anthropic/provider.ts';
import { openaiCompatible } from './openai-compatible/provider.ts';
import type { Provider, ProviderKind } from './provider.ts';

const PROVIDERS: Readonly<Record<ProviderKind, Provider>> = {
  openai: openaiCompatible,
  demo: openaiCompatible,
  anthropic,
};

export function providerOf(kind: ProviderKind): Provider {
  return PROVIDERS[kind];
}
