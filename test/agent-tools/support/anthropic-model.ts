import { startAnthropicUpstream, type SeenRequest } from '../../support/anthropic-upstream.ts';
import { endEvents, startEvent, textBlock, wire } from '../../support/messages-wire.ts';
import {
  TURN_USAGE,
  type ModelRequest,
  type ModelUpstream,
  type ToolCall,
  type ToolOutput,
  type Turn,
} from './model-upstream.ts';

const USAGE = {
  input_tokens: TURN_USAGE.plain,
  cache_read_input_tokens: TURN_USAGE.cached,
  cache_creation_input_tokens: TURN_USAGE.written,
  output_tokens: TURN_USAGE.output,
};

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}

/** A model behind Anthropic's Messages. */
export async function startAnthropicModel(): Promise<ModelUpstream> {
  const upstream = await startAnthropicUpstream();
  const requests: ModelRequest[] = [];
  return {
    url: upstream.url,
    usage: TURN_USAGE,
    requests,
    play: (script) => {
      requests.length = 0;
      upstream.script = (seen) => {
        if (seen.path.includes('count_tokens')) return { json: { input_tokens: 1_000 } };
        const request = readRequest(seen);
        requests.push(request);
        const turn = script(request);
        if (seen.body['stream'] === true) return { events: turnEvents(turn) };
        return { json: wholeReply(turn) };
      };
    },
    close: () => upstream.close(),
  };
}

function readRequest({ body }: SeenRequest): ModelRequest {
  const {
    model,
    tools = [],
    messages = [],
  } = body as {
    model?: string;
    tools?: readonly { name: string }[];
    messages?: readonly { content: string | readonly Block[] }[];
  };
  return {
    model: model ?? '',
    toolNames: tools.map(({ name }) => name),
    outputs: messages.flatMap(({ content }) => blocksOf(content)).flatMap(readOutput),
    body,
  };
}

function blocksOf(content: string | readonly Block[] = ''): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function readOutput(block: Block): ToolOutput[] {
  if (block.type !== 'tool_result') return [];
  const parts = blocksOf(block.content);
  return [
    {
      callId: block.tool_use_id ?? '',
      text: parts.map(({ text = '' }) => text).join(''),
      pictures: parts.filter(({ type }) => type === 'image').length,
    },
  ];
}

function turnEvents({ text, calls = [] }: Turn): string[] {
  const first = text === undefined ? 0 : 1;
  return [
    startEvent({ ...USAGE, output_tokens: 1 }),
    ...(text === undefined ? [] : [textBlock(0, text)]),
    ...calls.map((call, at) => callEvents(first + at, call)),
    endEvents(calls.length > 0 ? 'tool_use' : 'end_turn', USAGE),
  ];
}

function callEvents(index: number, { id, name, input }: ToolCall): string {
  const json = JSON.stringify(input);
  const half = Math.floor(json.length / 2);
  const delta = (partial_json: string): string =>
    wire('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
  return (
    wire('content_block_start', {
      index,
      content_block: { type: 'tool_use', id, name, input: {} },
    }) +
    delta(json.slice(0, half)) +
    delta(json.slice(half)) +
    wire('content_block_stop', { index })
  );
}

function wholeReply({ text, calls = [] }: Turn): object {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-upstream',
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', ...call })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  };
}
