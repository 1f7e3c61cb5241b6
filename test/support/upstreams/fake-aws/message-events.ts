/** The events as which a message is streamed. */
interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly input?: object;
}

export interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly usage: Readonly<Record<string, unknown>>;
}

function deltas(block: Block): object[] {
  switch (block.type) {
    case 'text': {
      const { text = '' } = block;
      const half = Math.ceil(text.length / 2);
      return [text.slice(0, half), text.slice(half)].map((part) => ({
        type: 'text_delta',
        text: part,
      }));
    }
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
      return [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
    default:
      return [];
  }
}

function begun(block: Block): object {
  if (block.type === 'text') return { ...block, text: '' };
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' };
  return block.type === 'tool_use' ? { ...block, input: {} } : block;
}

export function eventsOf(message: Message): object[] {
  const { content, stop_reason: reason, usage } = message;
  const { output_tokens: output, ...prompt } = usage;
  const start = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...prompt, output_tokens: 1 },
  };
  return [
    { type: 'message_start', message: start },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: begun(block) },
      ...deltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: output },
    },
    {
      type: 'message_stop',
      'amazon-bedrock-invocationMetrics': {
        inputTokenCount: prompt['input_tokens'],
        outputTokenCount: output,
        invocationLatency: 700,
        firstByteLatency: 300,
      },
    },
  ];
}
