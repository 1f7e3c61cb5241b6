import { responsesEvent } from '../../support/clients/responses-events.ts';
import {
  startResponsesUpstream,
  type ResponsesScript,
} from '../../support/upstreams/responses-upstream.ts';
import {
  CONTEXT_TOKENS_MAX,
  TOO_MANY_TOKENS,
  TURN_USAGE,
  type Failure,
  type ModelRequest,
  type ModelUpstream,
  type ToolCall,
  type ToolOutput,
  type Turn,
} from './model-upstream.ts';

const PROMPT_TOKENS = TURN_USAGE.plain + TURN_USAGE.cached + TURN_USAGE.written;

const USAGE = {
  input_tokens: PROMPT_TOKENS,
  input_tokens_details: {
    cached_tokens: TURN_USAGE.cached,
    cache_write_tokens: TURN_USAGE.written,
  },
  output_tokens: TURN_USAGE.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: PROMPT_TOKENS + TURN_USAGE.output,
};

interface Part {
  readonly type: string;
  readonly text?: string;
}

interface Item {
  readonly type?: string;
  readonly call_id?: string;
  readonly encrypted_content?: string;
  readonly output?: string | readonly Part[];
}

/** A model behind Responses. */
export async function startResponsesModel(): Promise<ModelUpstream> {
  const upstream = await startResponsesUpstream();
  const requests: ModelRequest[] = [];
  return {
    url: upstream.url,
    usage: TURN_USAGE,
    keepsProofs: true,
    requests,
    play: (script) => {
      requests.length = 0;
      upstream.script = (body) => {
        const request = readRequest(body);
        requests.push(request);
        const turn = script(request);
        if (turn.failure !== undefined) return failureOf(turn.failure, turn);
        const output = itemsOf(turn);
        if (body['stream'] === true) return { events: turnEvents(output) };
        return { body: responseOf('completed', output) };
      };
    },
    close: () => upstream.close(),
  };
}

function readRequest(body: Readonly<Record<string, unknown>>): ModelRequest {
  const { model, tools, input } = body as {
    model?: string;
    tools?: readonly { name?: string }[];
    input?: string | readonly Item[];
  };
  const items = typeof input === 'string' ? [] : (input ?? []);
  return {
    model: model ?? '',
    toolNames: (tools ?? []).flatMap(({ name }) => name ?? []),
    outputs: items.flatMap(readOutput),
    proofs: items.flatMap(({ encrypted_content: proof }) => proof ?? []),
    body,
  };
}

function readOutput({ type, call_id: callId = '', output = '' }: Item): ToolOutput[] {
  if (type !== 'function_call_output' && type !== 'custom_tool_call_output') return [];
  const parts = typeof output === 'string' ? [{ type: 'input_text', text: output }] : output;
  return [
    {
      callId,
      text: parts.map(({ text = '' }) => text).join(''),
      pictures: parts.filter((part) => part.type === 'input_image').length,
    },
  ];
}

function failureOf(failure: Failure, turn: Turn): ResponsesScript {
  const error = (status: number, type: string, code: string, message: string): ResponsesScript => ({
    status,
    body: { error: { message, type, param: null, code } },
  });
  switch (failure) {
    case 'overloaded':
      return error(503, 'server_error', 'server_is_overloaded', 'The engine is overloaded.');
    case 'rate limited': {
      const message = 'Rate limit reached for requests. Please try again in 1s.';
      return error(429, 'requests', 'rate_limit_exceeded', message);
    }
    case 'overflow': {
      const message =
        `Your input of ${TOO_MANY_TOKENS} tokens exceeds the context window of this model ` +
        `(${CONTEXT_TOKENS_MAX} tokens). Please adjust your input and try again.`;
      return error(400, 'invalid_request_error', 'context_length_exceeded', message);
    }
    case 'cut at once':
      return { events: [], cut: true };
    case 'cut midway':
      // Without the ends of its text, of the item and of the response.
      return { events: turnEvents(itemsOf(turn)).slice(0, -4), cut: true };
    case 'error midway': {
      const events = turnEvents(itemsOf(turn)).slice(0, -4);
      const fields = { code: 'server_error', message: 'The model failed.', param: null };
      return { events: [...events, responsesEvent('error', events.length, fields)] };
    }
  }
}

/** One item of a reply, and the deltas that it arrives in. */
interface ReplyItem {
  readonly begun: object;
  readonly deltas: (at: object) => [string, object][];
  readonly finished: object;
}

function itemsOf({ thought, text, calls = [] }: Turn): ReplyItem[] {
  return [
    ...(thought === undefined ? [] : [thoughtItem(thought)]),
    ...(text === undefined ? [] : [messageItem(text)]),
    ...calls.map((call) => (call.freeForm === undefined ? callItem(call) : freeFormItem(call))),
  ];
}

function thoughtItem({ text, proof }: NonNullable<Turn['thought']>): ReplyItem {
  const item = { type: 'reasoning', id: 'rs_1' };
  const part = { type: 'summary_text', text };
  return {
    begun: { ...item, summary: [] },
    deltas: (place) => {
      const at = { ...place, item_id: item.id, summary_index: 0 };
      return [
        ['response.reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }],
        ['response.reasoning_summary_text.delta', { ...at, delta: text }],
        ['response.reasoning_summary_text.done', { ...at, text }],
        ['response.reasoning_summary_part.done', { ...at, part }],
      ];
    },
    finished: { ...item, summary: [part], encrypted_content: proof },
  };
}

function messageItem(text: string): ReplyItem {
  const item = { type: 'message', id: 'msg_1', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  return {
    begun: { ...item, status: 'in_progress', content: [] },
    deltas: (place) => {
      const at = { ...place, item_id: item.id, content_index: 0 };
      return [
        ['response.content_part.added', { ...at, part: { ...part, text: '' } }],
        ['response.output_text.delta', { ...at, delta: text, logprobs: [] }],
        ['response.output_text.done', { ...at, text, logprobs: [] }],
        ['response.content_part.done', { ...at, part }],
      ];
    },
    finished: { ...item, status: 'completed', content: [part] },
  };
}

function callItem({ id, name, input }: ToolCall): ReplyItem {
  const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name };
  const json = JSON.stringify(input);
  const half = Math.floor(json.length / 2);
  const delta = 'response.function_call_arguments.delta';
  return {
    begun: { ...item, status: 'in_progress', arguments: '' },
    deltas: (place) => {
      const at = { ...place, item_id: item.id };
      return [
        [delta, { ...at, delta: json.slice(0, half) }],
        [delta, { ...at, delta: json.slice(half) }],
        ['response.function_call_arguments.done', { ...at, name, arguments: json }],
      ];
    },
    finished: { ...item, status: 'completed', arguments: json },
  };
}

function freeFormItem({ id, name, namespace, freeForm: input = '' }: ToolCall): ReplyItem {
  const item = { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, name, namespace };
  return {
    begun: { ...item, status: 'in_progress', input: '' },
    deltas: (place) => {
      const at = { ...place, item_id: item.id };
      return [
        ['response.custom_tool_call_input.delta', { ...at, delta: input }],
        ['response.custom_tool_call_input.done', { ...at, input }],
      ];
    },
    finished: { ...item, status: 'completed', input },
  };
}

function responseOf(status: string, items: readonly ReplyItem[]): object {
  const output = items.map(({ finished }) => finished);
  const usage = status === 'completed' ? USAGE : null;
  return { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, output, usage };
}

function turnEvents(items: readonly ReplyItem[]): string[] {
  const events: [string, object][] = [
    ['response.created', { response: responseOf('in_progress', []) }],
    ['response.in_progress', { response: responseOf('in_progress', []) }],
    ...items.flatMap(({ begun, deltas, finished }, at): [string, object][] => [
      ['response.output_item.added', { output_index: at, item: begun }],
      ...deltas({ output_index: at }),
      ['response.output_item.done', { output_index: at, item: finished }],
    ]),
    ['response.completed', { response: responseOf('completed', items) }],
  ];
  return events.map(([type, fields], at) => responsesEvent(type, at, fields));
}
