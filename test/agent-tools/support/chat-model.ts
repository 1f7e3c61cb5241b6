import { startFakeUpstream, type Behaviour } from '../../support/upstreams/fake-upstream.ts';
import {
  CONTEXT_TOKENS_MAX,
  TOO_MANY_TOKENS,
  TURN_USAGE,
  type Failure,
  type ModelRequest,
  type ModelUpstream,
  type ToolOutput,
  type Turn,
} from './model-upstream.ts';

const PROMPT_TOKENS = TURN_USAGE.plain + TURN_USAGE.cached + TURN_USAGE.written;

const USAGE = {
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: TURN_USAGE.output,
  total_tokens: PROMPT_TOKENS + TURN_USAGE.output,
  prompt_tokens_details: {
    cached_tokens: TURN_USAGE.cached,
    cache_write_tokens: TURN_USAGE.written,
  },
};

interface Part {
  readonly type: string;
  readonly text?: string;
}

interface Message {
  readonly role: string;
  readonly tool_call_id?: string;
  readonly content?: string | readonly Part[] | null;
}

/** A model behind chat completions. */
export async function startChatModel(): Promise<ModelUpstream> {
  const upstream = await startFakeUpstream();
  const requests: ModelRequest[] = [];
  return {
    url: upstream.url,
    usage: TURN_USAGE,
    keepsProofs: false,
    requests,
    play: (script) => {
      requests.length = 0;
      upstream.reset();
      upstream.behave('*', ({ body = {} }) => {
        const request = readRequest(body);
        requests.push(request);
        return behaviourOf(script(request));
      });
    },
    close: () => upstream.close(),
  };
}

function readRequest(body: Readonly<Record<string, unknown>>): ModelRequest {
  const {
    model,
    tools = [],
    messages = [],
  } = body as {
    model?: string;
    tools?: readonly { function?: { name: string } }[];
    messages?: readonly Message[];
  };
  return {
    model: model ?? '',
    toolNames: tools.flatMap((tool) => tool.function?.name ?? []),
    outputs: messages.flatMap((message, at) => readOutput(message, messages.slice(at + 1))),
    proofs: [],
    body,
  };
}

/** Pictures of a result are in the user's message behind the results: chat tools return text. */
function readOutput(message: Message, following: readonly Message[]): ToolOutput[] {
  if (message.role !== 'tool') return [];
  const next = following.find(({ role }) => role !== 'tool');
  const behind = next?.role === 'user' ? partsOf(next.content) : [];
  const own = partsOf(message.content);
  return [
    {
      callId: message.tool_call_id ?? '',
      text: own.map(({ text = '' }) => text).join(''),
      pictures: [...own, ...behind].filter(({ type }) => type === 'image_url').length,
    },
  ];
}

function partsOf(content: Message['content']): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content ?? [];
}

function failureOf(failure: Failure, text: string): Behaviour {
  const error = (status: number, type: string, code: string, message: string): Behaviour => ({
    kind: 'status',
    status,
    ...(status === 429 ? { retryAfter: '1' } : {}),
    body: { error: { message, type, param: null, code } },
  });
  switch (failure) {
    case 'overloaded':
      return error(503, 'server_error', 'server_is_overloaded', 'The engine is overloaded.');
    case 'rate limited':
      return error(429, 'requests', 'rate_limit_exceeded', 'Rate limit reached for requests.');
    case 'overflow': {
      const message =
        `This model's maximum context length is ${CONTEXT_TOKENS_MAX} tokens. ` +
        `However, your messages resulted in ${TOO_MANY_TOKENS} tokens.`;
      return error(400, 'invalid_request_error', 'context_length_exceeded', message);
    }
    case 'cut at once':
      return { kind: 'reply', end: 'reset', cutAfterEvents: 0 };
    case 'cut midway':
      return { kind: 'reply', pieces: [text, text], end: 'reset', cutAfterEvents: 2 };
    case 'error midway':
      return { kind: 'reply', pieces: [text, text], end: 'error_event', cutAfterEvents: 2 };
  }
}

function behaviourOf({ failure, text, calls = [] }: Turn): Behaviour {
  if (failure !== undefined) return failureOf(failure, text ?? '');
  return {
    kind: 'reply',
    pieces: text === undefined ? [] : [text],
    toolCalls: calls.map(({ id, name, input }) => {
      const json = JSON.stringify(input);
      const half = Math.floor(json.length / 2);
      return { id, name, fragments: [json.slice(0, half), json.slice(half)] };
    }),
    usage: USAGE,
  };
}
