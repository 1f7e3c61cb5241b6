import { MessagesStream } from '../../gateway/protocols/anthropic-messages/pass-through/messages-stream.ts';
import { ChatStream } from '../../gateway/protocols/openai-chat/pass-through/chat-stream.ts';
import { measure } from './measure.ts';

const CHUNKS = 1_000;

function event(type: string, fields: object): Buffer {
  return Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}

function messagesEvents(): Buffer[] {
  const usage = { input_tokens: 9, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [] };
  const block = { type: 'text', text: '' };
  return [
    event('message_start', { message: { ...message, usage } }),
    event('content_block_start', { index: 0, content_block: block }),
    ...words().map((text) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: CHUNKS },
    }),
    event('message_stop', {}),
  ];
}

function words(): string[] {
  return Array.from({ length: CHUNKS }, (_, index) => (index % 7 === 0 ? '\n' : ' water'));
}

function chatEvents(): Buffer[] {
  const chunk = (delta: object, finish: string | null = null): Buffer =>
    Buffer.from(
      `data: ${JSON.stringify({
        id: 'chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012',
        object: 'chat.completion.chunk',
        created: 1_694_268_190,
        model: 'gpt',
        system_fingerprint: 'fp_44709d6fcb',
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      })}\n\n`,
    );
  return [
    chunk({ role: 'assistant', content: '' }),
    ...words().map((content) => chunk({ content })),
    chunk({}, 'stop'),
    Buffer.from('data: [DONE]\n\n'),
  ];
}

interface Stream {
  push(chunk: Buffer): Uint8Array;
}

function run(name: string, chunks: readonly Buffer[], open: () => Stream): number {
  const us = measure(`whole stream, ${name}`, 300, () => {
    const stream = open();
    let bytes = 0;
    for (const chunk of chunks) bytes += stream.push(chunk).length;
    return bytes;
  });
  return us / CHUNKS;
}

/**
 * A Messages stream is to cost no more than 1.15 times what a chat stream of as many chunks costs.
 */
const findFailure = (): undefined => undefined;
const chat = (publicModel: string) => (): Stream =>
  new ChatStream({ publicModel, includeUsage: false, choices: 1 });
const messages = (publicModel: string) => (): Stream =>
  new MessagesStream({ publicModel, findFailure });
const pairs = [
  ['same model', 'gpt', 'claude'],
  ['model renamed', 'public', 'public'],
] as const;
for (const [name, chatModel, messagesModel] of pairs) {
  const chatUs = run(`chat, ${name}`, chatEvents(), chat(chatModel));
  const messagesUs = run(`Messages, ${name}`, messagesEvents(), messages(messagesModel));
  console.log(`     Messages / chat: ${(messagesUs / chatUs).toFixed(2)}`);
}
