/** A turn of a model behind Messages: what it is asked, and how it replies. */
import { endEvents, startEvent, textBlock, wire } from '../../support/clients/messages-wire.ts';
import {
  TURN_USAGE,
  type ModelRequest,
  type ToolCall,
  type ToolOutput,
  type Turn,
} from './model-upstream.ts';

export const MESSAGES_USAGE = {
  input_tokens: TURN_USAGE.plain,
  cache_read_input_tokens: TURN_USAGE.cached,
  cache_creation_input_tokens: TURN_USAGE.written,
  output_tokens: TURN_USAGE.output,
};

const LONG_TEXT_CHARACTERS = 1_000;

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly signature?: string;
  readonly tool_use_id?: string;
  readonly content?: string | readonly Block[];
}

export function readMessagesRequest(body: ModelRequest['body']): ModelRequest {
  const {
    model,
    tools = [],
    messages = [],
  } = body as {
    model?: string;
    tools?: readonly { name: string }[];
    messages?: readonly { content: string | readonly Block[] }[];
  };
  const blocks = messages.flatMap(({ content }) => blocksOf(content));
  return {
    model: model ?? '',
    toolNames: tools.map(({ name }) => name),
    outputs: blocks.flatMap(readOutput),
    proofs: blocks.flatMap(({ type, signature = '' }) => (type === 'thinking' ? signature : [])),
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

/** The beginning of a stream that says a text and does not end. */
export function begunEvents(text: string): string[] {
  const start = startEvent({ ...MESSAGES_USAGE, output_tokens: 1 });
  const end = wire('content_block_stop', { index: 0 });
  return [start, textBlock(0, text).replace(end, '')];
}

/** Events of the block at an index. */
type BlockEvents = (index: number) => string;

export function messagesEvents({ thought, text, calls = [] }: Turn): string[] {
  const blocks: BlockEvents[] = [
    ...(thought === undefined ? [] : [thoughtEvents(thought)]),
    ...(text === undefined ? [] : [(index: number) => textBlock(index, ...piecesOf(text))]),
    ...calls.map((call) => (index: number) => callEvents(index, call)),
  ];
  return [
    startEvent({ ...MESSAGES_USAGE, output_tokens: 1 }),
    ...blocks.map((events, index) => events(index)),
    endEvents(calls.length > 0 ? 'tool_use' : 'end_turn', MESSAGES_USAGE),
  ];
}

/** A long text comes in many pieces. */
function piecesOf(text: string): readonly string[] {
  return text.length < LONG_TEXT_CHARACTERS ? [text] : text.split(/(?<= )/);
}

function thoughtEvents({ text, proof }: NonNullable<Turn['thought']>): BlockEvents {
  return (index) => {
    const delta = (fields: object): string => wire('content_block_delta', { index, delta: fields });
    const content_block = { type: 'thinking', thinking: '', signature: '' };
    return (
      wire('content_block_start', { index, content_block }) +
      delta({ type: 'thinking_delta', thinking: text }) +
      delta({ type: 'signature_delta', signature: proof }) +
      wire('content_block_stop', { index })
    );
  };
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

export function wholeMessage({ thought, text, calls = [] }: Turn): object {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-upstream',
    content: [
      ...(thought === undefined
        ? []
        : [{ type: 'thinking', thinking: thought.text, signature: thought.proof }]),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', ...call })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: MESSAGES_USAGE,
  };
}
