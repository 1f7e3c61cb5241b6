import { startAnthropicModel } from './anthropic-model.ts';
import { startConverseModel, startInvokeModel } from './bedrock-model.ts';
import { startChatModel } from './chat-model.ts';
import { startGeminiModel } from './gemini-model.ts';
import { startResponsesModel } from './responses-model.ts';
import type { ModelForSale } from './sell-models.ts';
import { startVertexModel } from './vertex-model.ts';

/** Under names that tools know: they treat others as simpler models. */
export const OVER_ANTHROPIC: ModelForSale = {
  publicId: 'claude-sonnet-5',
  channelKind: 'anthropic',
  upstreamName: 'Anthropic',
  startUpstream: startAnthropicModel,
};

export const OVER_CHAT: ModelForSale = {
  publicId: 'gpt-5.4',
  channelKind: 'openai',
  upstreamName: 'chat completions',
  startUpstream: startChatModel,
};

export const OVER_RESPONSES: ModelForSale = {
  publicId: 'gpt-5.5',
  channelKind: 'openai',
  channelProtocols: ['openai-responses'],
  upstreamName: 'Responses',
  startUpstream: startResponsesModel,
};

/** Under a name of its own: nothing else is sold with it. */
export const OVER_STORING_RESPONSES: ModelForSale = {
  ...OVER_RESPONSES,
  publicId: 'gpt-5.5-stored',
  stores: true,
};

export const OVER_GEMINI: ModelForSale = {
  publicId: 'gemini-2.5-pro',
  channelKind: 'gemini',
  upstreamName: 'Gemini',
  startUpstream: startGeminiModel,
};

export const OVER_INVOKE_MODEL: ModelForSale = {
  publicId: 'claude-opus-4-6',
  channelKind: 'bedrock',
  upstreamModel: 'global.anthropic.claude-opus-5-5',
  upstreamName: 'InvokeModel of Bedrock',
  startUpstream: startInvokeModel,
};

export const OVER_CONVERSE: ModelForSale = {
  ...OVER_INVOKE_MODEL,
  publicId: 'claude-sonnet-4-6',
  channelProtocols: ['bedrock-converse'],
  upstreamName: 'Converse of Bedrock',
  startUpstream: startConverseModel,
};

export const OVER_VERTEX: ModelForSale = {
  // Claude Code probes Haiku 4.5, which would be another turn on the bill.
  publicId: 'claude-opus-4-5',
  channelKind: 'vertex',
  upstreamModel: 'claude-opus-5-5',
  upstreamName: 'Vertex AI',
  startUpstream: startVertexModel,
};
