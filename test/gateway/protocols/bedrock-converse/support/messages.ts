/** Messages and tools that tests of requests have in common. */
import type {
  NeutralMessage,
  NeutralTool,
  UserPart,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import { bodyOf, CLAUDE } from './converse.ts';

export const LLAMA = 'us.meta.llama3-3-70b-instruct-v1:0';
export const OPUS = 'global.anthropic.claude-opus-4-6-v1';
export const MARK = { ttl: '5m' } as const;
export const HOUR = { ttl: '1h' } as const;
export const POINT = { cachePoint: { type: 'default' } };

export const TOOL: NeutralTool = {
  name: 'look_up',
  description: 'Looks up.',
  schema: { type: 'object', properties: { city: { type: 'string' } } },
};
export const CALLED: readonly NeutralMessage[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Where?' }] },
  {
    role: 'assistant',
    parts: [
      {
        type: 'tool_call',
        id: 'call_1',
        name: 'look_up',
        input: '{"city":"Rome"}',
        freeForm: false,
      },
    ],
  },
  {
    role: 'tool',
    parts: [
      {
        type: 'tool_result',
        callId: 'call_1',
        content: [{ type: 'text', text: 'There.' }],
        isError: false,
      },
    ],
  },
];
export const NOT_OFFERED = 'This tool is not available any more. Do not call it.';
export const PDF = { base64: 'JVBERi0xLjQ=', mediaType: 'application/pdf' };
export const PNG = { base64: 'iVBORw0KGgoAAAAA', mediaType: 'image/png' };

export function user(...parts: readonly UserPart[]): NeutralMessage {
  return { role: 'user', parts };
}

export function contentOf(parts: readonly UserPart[], model = CLAUDE): unknown {
  const [message] = bodyOf({ messages: [user(...parts)] }, model)['messages'] as {
    content: unknown;
  }[];
  return message?.content;
}
