/** The replies of a strict upstream to requests that it accepts, whole or streamed. */
import {
  TURN_UPSTREAMS,
  USAGE,
  type Turn,
} from '../../../gateway/data-plane/settlement/support/turn-upstreams.ts';
import type { Json, Spoken } from './rule.ts';

export const SAID = 'It is done.';

/** The events of a streamed reply. */
export function streamedReply(protocol: Spoken, turn: Turn): readonly string[] {
  const upstream = TURN_UPSTREAMS.find((found) => found.protocol === protocol);
  return upstream?.events(turn) ?? [];
}

/** A Response is what its stream's last event has. */
function response(turn: Turn): Json {
  const last = streamedReply('openai-responses', turn).at(-1) ?? '';
  const event = JSON.parse(last.slice(last.indexOf('data: ') + 'data: '.length)) as Json;
  return event['response'] as Json;
}

function completion({ pieces = [], calls = [] }: Turn): Json {
  const toolCalls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = {
    role: 'assistant',
    content: pieces.length > 0 ? pieces.join('') : null,
    ...(calls.length > 0 && { tool_calls: toolCalls }),
  };
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: {
      prompt_tokens: USAGE.input,
      completion_tokens: USAGE.output,
      total_tokens: USAGE.input + USAGE.output,
    },
  };
}

function message({ pieces = [], calls = [] }: Turn): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      ...pieces.map((text) => ({ type: 'text', text })),
      ...calls.map((call) => ({ type: 'tool_use', ...call })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
  };
}

function conversed({ pieces = [], calls = [] }: Turn): Json {
  const content = [
    ...pieces.map((text) => ({ text })),
    ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
  ];
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
    usage: {
      inputTokens: USAGE.input,
      outputTokens: USAGE.output,
      totalTokens: USAGE.input + USAGE.output,
    },
    metrics: { latencyMs: 1 },
  };
}

function generated({ pieces = [], calls = [] }: Turn): Json {
  const parts = [
    ...pieces.map((text) => ({ text })),
    ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
  ];
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: USAGE.input,
      candidatesTokenCount: USAGE.output,
      totalTokenCount: USAGE.input + USAGE.output,
    },
    modelVersion: 'm',
    responseId: 'r',
  };
}

const WHOLE: Readonly<Record<Spoken, (turn: Turn) => Json>> = {
  'openai-chat': completion,
  'openai-responses': response,
  'anthropic-messages': message,
  gemini: generated,
  'bedrock-converse': conversed,
};

export function wholeReply(protocol: Spoken, turn: Turn): Json {
  return WHOLE[protocol](turn);
}
