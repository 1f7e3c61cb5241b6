/**
 * The replies of an OpenAI-compatible upstream: the completion object and the events of a stream,
 * in the order of the real API. Used by the demo upstream and by the fake upstream of tests and
 * benchmarks.
 */
export interface ReplyIdentity {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly model: string;
}

export interface WireToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments' JSON text, in the fragments a stream sends it in. */
  readonly fragments: readonly string[];
}

export interface WireChoice {
  /** The text, in the pieces a stream sends it in. */
  readonly pieces: Iterable<string>;
  readonly toolCalls: readonly WireToolCall[];
  readonly finishReason: string;
}

export interface WireReply {
  readonly identity: ReplyIdentity;
  readonly choices: readonly WireChoice[];
  /** Reported as it is; undefined reports none. */
  readonly usage: unknown;
}

export const SSE_DONE = 'data: [DONE]\n\n';

export function sseEvent(content: unknown): string {
  return `data: ${JSON.stringify(content)}\n\n`;
}

function wholeMessage({ pieces, toolCalls }: WireChoice): object {
  const content = [...pieces].join('');
  return {
    role: 'assistant',
    // A message that only calls tools has null content on the real API.
    content: content === '' && toolCalls.length > 0 ? null : content,
    refusal: null,
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map(({ id, name, fragments }) => ({
            id,
            type: 'function',
            function: { name, arguments: fragments.join('') },
          })),
        }),
  };
}

/** The body of a non-streaming reply. */
export function completionObject({ identity, choices, usage }: WireReply): object {
  return {
    id: identity.id,
    object: 'chat.completion',
    created: identity.created,
    model: identity.model,
    choices: choices.map((choice, index) => ({
      index,
      message: wholeMessage(choice),
      logprobs: null,
      finish_reason: choice.finishReason,
    })),
    ...(usage === undefined ? {} : { usage }),
  };
}

/**
 * The deltas of one choice: the role first, then text, then tool calls with id, type and name only
 * once.
 */
function* deltas({ pieces, toolCalls }: WireChoice): Generator<object> {
  const toolsOnly = toolCalls.length > 0;
  yield { role: 'assistant', content: toolsOnly ? null : '' };
  for (const content of pieces) yield { content };
  for (const [index, { id, name, fragments }] of toolCalls.entries()) {
    yield { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] };
    for (const fragment of fragments) {
      yield { tool_calls: [{ index, function: { arguments: fragment } }] };
    }
  }
}

/** Takes one item of each in turn, until all have ended. */
function* inTurn<T>(iterators: readonly Iterator<T>[]): Generator<[index: number, item: T]> {
  const ended = new Set<number>();
  while (ended.size < iterators.length) {
    for (const [index, iterator] of iterators.entries()) {
      if (ended.has(index)) continue;
      const next = iterator.next();
      if (next.done === true) ended.add(index);
      else yield [index, next.value];
    }
  }
}

/**
 * The events of a stream without the closing `[DONE]`. With `includeUsage` every chunk carries
 * `usage: null` and a last one, without choices, the usage.
 */
export function* streamEvents(reply: WireReply, includeUsage: boolean): Generator<string> {
  const { identity, choices, usage } = reply;
  const base = {
    id: identity.id,
    object: 'chat.completion.chunk',
    created: identity.created,
    model: identity.model,
  };
  const noUsageYet = includeUsage ? { usage: null } : {};
  const chunk = (index: number, delta: object, finishReason: string | null): string =>
    sseEvent({
      ...base,
      choices: [{ index, delta, logprobs: null, finish_reason: finishReason }],
      ...noUsageYet,
    });
  for (const [index, delta] of inTurn(choices.map(deltas))) yield chunk(index, delta, null);
  for (const [index, { finishReason }] of choices.entries()) yield chunk(index, {}, finishReason);
  if (includeUsage && usage !== undefined) yield sseEvent({ ...base, choices: [], usage });
}
