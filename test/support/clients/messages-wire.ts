import { expect } from 'vitest';

/** One event of a stream of Messages. */
export interface MessagesEvent {
  readonly name: string;
  readonly data: Record<string, unknown>;
}

export interface Block {
  readonly type: string;
  text: string;
  signature: string;
  readonly id?: string;
  readonly name?: string;
  /** The data of a redacted block. */
  readonly data?: string;
}

export interface ReadMessage {
  readonly model: string;
  readonly blocks: readonly Block[];
  readonly stopReason: unknown;
  readonly stopSequence: unknown;
  /** The usage of `message_start` and of `message_delta`. */
  readonly startUsage: Record<string, unknown>;
  readonly usage: Record<string, unknown>;
  readonly finished: boolean;
  readonly errors: readonly unknown[];
}

/**
 * The events of a stream; fails on anything that is not of the one form that every client reads.
 */
export function eventsOf(stream: string): MessagesEvent[] {
  if (stream === '') return [];
  expect(stream.endsWith('\n\n')).toBe(true);
  return stream
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      const match = /^event: (\w+)\ndata: ?(\{.*\})$/.exec(block);
      expect(match, block).not.toBeNull();
      const data = JSON.parse(match?.[2] ?? '') as Record<string, unknown>;
      expect(data['type']).toBe(match?.[1]);
      return { name: match?.[1] ?? '', data };
    });
}

const DELTA_TEXTS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'partial_json',
};
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
};

/**
 * Reads a stream as the least forgiving client would: one message_start, blocks one after the other
 * with indexes from 0, deltas only in blocks of their kind, nothing behind the end.
 */
export function readMessageStrictly(stream: string): ReadMessage {
  const blocks: Block[] = [];
  const errors: unknown[] = [];
  let start: Record<string, unknown> | undefined;
  let end: { delta: Record<string, unknown>; usage: Record<string, unknown> } | undefined;
  let open = false;
  let finished = false;
  for (const { name, data } of eventsOf(stream)) {
    expect(finished, 'nothing behind the end').toBe(false);
    if (name === 'ping') continue;
    if (name === 'error') {
      errors.push(data['error']);
      continue;
    }
    if (name === 'message_start') {
      expect(start, 'one message_start').toBeUndefined();
      start = data['message'] as Record<string, unknown>;
      continue;
    }
    expect(start, 'message_start is first').toBeDefined();
    const { index } = data;
    if (name === 'content_block_start') {
      expect(open, 'blocks do not overlap').toBe(false);
      expect(index).toBe(blocks.length);
      open = true;
      const block = data['content_block'] as Record<string, string>;
      const text = block['text'] ?? block['thinking'] ?? '';
      blocks.push({
        ...block,
        type: block['type'] ?? '',
        text,
        signature: block['signature'] ?? '',
      });
    } else if (name === 'content_block_delta') {
      readDelta(data['delta'] as Record<string, string>, blocks.at(-1), open);
      expect(index).toBe(blocks.length - 1);
    } else if (name === 'content_block_stop') {
      expect(open).toBe(true);
      expect(index).toBe(blocks.length - 1);
      open = false;
    } else if (name === 'message_delta') {
      expect(open, 'every block is closed').toBe(false);
      end = data as unknown as NonNullable<typeof end>;
    } else if (name === 'message_stop') {
      expect(end, 'message_delta comes first').toBeDefined();
      finished = true;
    }
  }
  if (finished) checkWhole(blocks, end?.delta['stop_reason']);
  return {
    model: String(start?.['model']),
    blocks,
    stopReason: end?.delta['stop_reason'],
    stopSequence: end?.delta['stop_sequence'],
    startUsage: (start?.['usage'] ?? {}) as Record<string, unknown>,
    usage: end?.usage ?? {},
    finished,
    errors,
  };
}

function readDelta(delta: Record<string, string>, block: Block | undefined, open: boolean): void {
  expect(open, 'a delta is within a block').toBe(true);
  if (block === undefined) return;
  const type = delta['type'] ?? '';
  expect(DELTAS[block.type] ?? []).toContain(type);
  const key = DELTA_TEXTS[type];
  if (key !== undefined) block.text += delta[key] ?? '';
  if (type === 'signature_delta') block.signature += delta['signature'] ?? '';
}

function checkWhole(blocks: readonly Block[], stopReason: unknown): void {
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  if (stopReason === 'tool_use') expect(calls.length).toBeGreaterThan(0);
  if (stopReason === 'end_turn') expect(calls).toEqual([]);
  if (stopReason === 'max_tokens') return;
  for (const { text } of calls) {
    if (text !== '') expect(() => JSON.parse(text) as unknown).not.toThrow();
  }
  for (const { type, text } of blocks) if (type === 'text') expect(text).not.toBe('');
}

/** An event as it is sent. */
export function wire(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const USAGE = { input_tokens: 9, output_tokens: 1 };

export function startEvent(usage: object = USAGE, model = 'claude-upstream'): string {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [] };
  return wire('message_start', { message: { ...message, stop_reason: null, usage } });
}

export function textBlock(index: number, ...texts: readonly string[]): string {
  return (
    wire('content_block_start', { index, content_block: { type: 'text', text: '' } }) +
    texts
      .map((text) => wire('content_block_delta', { index, delta: { type: 'text_delta', text } }))
      .join('') +
    wire('content_block_stop', { index })
  );
}

export function endEvents(stopReason = 'end_turn', usage: object = { output_tokens: 5 }): string {
  const delta = { stop_reason: stopReason, stop_sequence: null };
  return wire('message_delta', { delta, usage }) + wire('message_stop');
}
