import * as Type from 'typebox';
import { Check } from 'typebox/schema';
import { ApiFailure } from '../core/api/api-failure';
import type { Dialect } from './dialects/dialect';

/** Errors in the shapes of all dialects: each has the gateway's own code in another place. */
const ErrorBody = Type.Object({
  error: Type.Object({
    message: Type.String(),
    code: Type.Optional(Type.Unknown()),
    details: Type.Optional(Type.Unknown()),
  }),
});

/** Anthropic's dialect. */
const NamedCode = Type.Object({ error_code: Type.String() });
/** Gemini's. */
const Reasons = Type.Array(Type.Object({ reason: Type.Optional(Type.String()) }));

/** Errors of Responses in the middle of a stream. */
const ErrorEvent = Type.Object({
  type: Type.Literal('error'),
  message: Type.String(),
  code: Type.Optional(Type.Unknown()),
});
const FailedResponse = Type.Object({
  type: Type.Literal('response.failed'),
  response: ErrorBody,
});

export type ChatEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'finish'; readonly reason: string }
  | { readonly kind: 'usage'; readonly input: number; readonly output: number }
  | { readonly kind: 'error'; readonly message: string; readonly code: string }
  | { readonly kind: 'end' };

/** Codes that Responses renames for Codex, with the gateway's own. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  insufficient_quota: 'insufficient_balance',
};

function codeOf({
  code,
  details,
}: {
  readonly code?: unknown;
  readonly details?: unknown;
}): string {
  if (Check(NamedCode, details)) return details.error_code;
  const reason = Check(Reasons, details) ? details[0]?.reason?.toLowerCase() : undefined;
  const named = reason ?? (typeof code === 'string' ? code : 'unknown');
  return OTHER_NAMES[named] ?? named;
}

/** Reads an error in any of the gateway's shapes; undefined when it is none. */
export function readError(body: unknown): { message: string; code: string } | undefined {
  if (Check(FailedResponse, body)) return readError(body.response);
  if (Check(ErrorBody, body)) return { message: body.error.message, code: codeOf(body.error) };
  if (Check(ErrorEvent, body)) return { message: body.message, code: codeOf(body) };
  return undefined;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // Half a block, or a page that a proxy sent in its place.
    throw new ApiFailure({ code: 'cut_off' });
  }
}

function* eventsOf(data: string, dialect: Pick<Dialect, 'events'>): Generator<ChatEvent> {
  if (data.trim() === '[DONE]') {
    yield { kind: 'end' };
    return;
  }
  const parsed = parse(data);
  const error = readError(parsed);
  if (error === undefined) yield* dialect.events(parsed);
  else yield { kind: 'error', ...error };
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
 * Reads an event stream as it arrives, whatever the network cuts it into. Fails as `cut_off` when
 * it ends without saying so: half a reply must not pass for a whole one.
 */
export async function* readChat(
  body: ReadableStream<Uint8Array>,
  dialect: Pick<Dialect, 'events'>,
): AsyncGenerator<ChatEvent> {
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
        for (const event of eventsOf(data, dialect)) {
          ended ||= event.kind === 'end' || event.kind === 'error';
          yield event;
        }
      }
      if (done) break;
    }
    if (!ended) throw new ApiFailure({ code: 'cut_off' });
  } finally {
    // A listener that stops also hangs up, or the upstream would go on writing.
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
