import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { ApiFailure } from '../core/api/api-failure';

/** What the playground reads of a chunk. Gateways may send more; unknown fields are ignored. */
const Chunk = Type.Object({
  choices: Type.Array(
    Type.Object({
      delta: Type.Object({
        content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        reasoning_content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      finish_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
  usage: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({ prompt_tokens: Type.Integer(), completion_tokens: Type.Integer() }),
    ]),
  ),
});

const ErrorBody = Type.Object({
  error: Type.Object({
    message: Type.String(),
    code: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
});

export type ChatEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'finish'; readonly reason: string }
  | { readonly kind: 'usage'; readonly input: number; readonly output: number }
  | { readonly kind: 'error'; readonly message: string; readonly code: string }
  | { readonly kind: 'end' };

/** Reads an error in the gateway's shape; undefined when it is none. */
export function readError(body: unknown): { message: string; code: string } | undefined {
  if (!Check(ErrorBody, body)) return undefined;
  return { message: body.error.message, code: body.error.code ?? 'unknown' };
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // Half a block, or a page that a proxy sent in its place.
    throw new ApiFailure({ code: 'cut_off' });
  }
}

function* chunkEvents(data: string): Generator<ChatEvent> {
  if (data.trim() === '[DONE]') {
    yield { kind: 'end' };
    return;
  }
  const parsed = parse(data);
  const error = readError(parsed);
  if (error !== undefined) {
    yield { kind: 'error', ...error };
    return;
  }
  if (!Check(Chunk, parsed)) return;
  for (const { delta, finish_reason: reason } of parsed.choices) {
    const text = delta.content ?? '';
    if (text !== '') yield { kind: 'text', text };
    if (reason != null) yield { kind: 'finish', reason };
  }
  if (parsed.usage != null) {
    const { prompt_tokens: input, completion_tokens: output } = parsed.usage;
    yield { kind: 'usage', input, output };
  }
}

/** The data of one block of an event stream; lines that begin with a colon are comments. */
function dataOf(block: string): string {
  return block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trimStart())
    .join('\n');
}

/**
 * Reads an event stream as it arrives, whatever the network cuts it into. Fails as `cut_off` when it ends
 * without saying so: half a reply must not pass for a whole one.
 */
export async function* readChat(body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = done ? '' : (blocks.pop() ?? '');
      for (const block of blocks) {
        const data = dataOf(block);
        if (data === '') continue;
        for (const event of chunkEvents(data)) {
          ended ||= event.kind === 'end' || event.kind === 'error';
          yield event;
        }
      }
      if (done) break;
    }
    if (!ended) throw new ApiFailure({ code: 'cut_off' });
  } finally {
    // Whoever stops listening hangs up too, or the upstream would go on writing.
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
