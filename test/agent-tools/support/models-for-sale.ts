import { startAnthropicModel } from './anthropic-model.ts';
import { startChatModel } from './chat-model.ts';
import type { ModelForSale } from './describe-tool.ts';

/** Under names that tools know: they treat others as simpler models. */
export const OVER_ANTHROPIC: ModelForSale = {
  publicId: 'claude-sonnet-5',
  channelKind: 'anthropic',
  upstreamName: 'Anthropic',
  startUpstream: startAnthropicModel,
};

export const OVER_CHAT: ModelForSale = {
  publicId: 'gpt-5.5',
  channelKind: 'openai',
  upstreamName: 'chat completions',
  startUpstream: startChatModel,
};
