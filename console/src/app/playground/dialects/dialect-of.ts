import type { Dialect, TalkProtocol } from './dialect';
import { ANTHROPIC_MESSAGES } from './anthropic-messages';
import { GEMINI } from './gemini';
import { OPENAI_CHAT } from './openai-chat';
import { OPENAI_RESPONSES } from './openai-responses';

export const DIALECTS: Readonly<Record<TalkProtocol, Dialect>> = {
  'openai-chat': OPENAI_CHAT,
  'openai-responses': OPENAI_RESPONSES,
  'anthropic-messages': ANTHROPIC_MESSAGES,
  gemini: GEMINI,
};
