import type { WireReply } from '../../gateway/demo/chat-wire.ts';
import { DEFAULT_BEHAVIOUR, type Reply } from './behaviour.ts';

/**
 * The prompt tokens that a reply reports by default: a fixed number, so that costs can be asserted.
 */
export const PROMPT_TOKENS = 10;

function piecesOf({ pieces = DEFAULT_BEHAVIOUR.pieces }: Reply): readonly string[] {
  if (typeof pieces !== 'number') return pieces ?? [];
  return Array.from({ length: pieces }, (_, index) => (index === 0 ? 'word' : ' word'));
}

function usageOf(reply: Reply, pieces: readonly string[]): unknown {
  if (reply.usage === 'absent') return undefined;
  if (typeof reply.usage === 'object') return reply.usage;
  const toolFragments = (reply.toolCalls ?? []).flatMap(({ fragments }) => fragments);
  const completionTokens = pieces.length + toolFragments.length;
  return {
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: completionTokens,
    total_tokens: PROMPT_TOKENS + completionTokens,
  };
}

/** Returns the bytes of a reply: fixed id and time, usage by the number of pieces. */
export function wireReply(model: string, reply: Reply, choices = 1): WireReply {
  const pieces = piecesOf(reply);
  const toolCalls = reply.toolCalls ?? [];
  return {
    identity: { id: 'chatcmpl-fake', created: 1_700_000_000, model: model },
    usage: usageOf(reply, pieces),
    choices: Array.from({ length: choices }, () => ({
      pieces: reply.pieces === undefined && toolCalls.length > 0 ? [] : pieces,
      toolCalls,
      finishReason: reply.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    })),
  };
}
