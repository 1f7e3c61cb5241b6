/** A client's question, independent of its protocol, and each protocol's request for it. */

export type Json = Readonly<Record<string, unknown>>;
export const CLIENTS = ['chat', 'responses', 'messages', 'gemini'] as const;
export type Client = (typeof CLIENTS)[number];

export interface AskedTool {
  readonly name: string;
  readonly schema: Json;
  readonly strict?: boolean;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly text?: string;
}

type Turn =
  | { readonly user: string }
  | { readonly assistant: string }
  /** The assistant's calls with their results. */
  | { readonly calls: readonly Call[] };

export interface Ask {
  readonly turns?: readonly Turn[];
  readonly system?: string;
  readonly image?: { readonly type: string } | { readonly url: string };
  readonly tools?: readonly AskedTool[];
  readonly force?: 'any' | { readonly name: string };
  readonly serial?: boolean;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly penalty?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly effort?: string;
  readonly budget?: number;
  readonly format?: 'json' | { readonly schema: Json; readonly strict: boolean };
  /** Fields that one protocol alone has. */
  readonly extra?: Partial<Record<Client, Json>>;
}

/** A picture of one pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MAX_TOKENS = 4_000;

/** Leaves out what is undefined. */
function some(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function turnsOf({ turns = [{ user: 'Hello, answer in JSON.' }] }: Ask): readonly Turn[] {
  return turns;
}

function imageUrl(image: NonNullable<Ask['image']>): string {
  return 'url' in image ? image.url : `data:${image.type};base64,${PIXEL}`;
}

function chat(ask: Ask): Json {
  const { system, image, tools, force, format } = ask;
  const messages = turnsOf(ask).flatMap((turn): Json[] => {
    if ('user' in turn) {
      const text = { type: 'text', text: turn.user };
      const picture = image && { type: 'image_url', image_url: { url: imageUrl(image) } };
      return [{ role: 'user', content: picture === undefined ? turn.user : [text, picture] }];
    }
    if ('assistant' in turn) return [{ role: 'assistant', content: turn.assistant }];
    const calls = turn.calls.map(({ id, name }) => ({
      id,
      type: 'function',
      function: { name, arguments: '{"a":1}' },
    }));
    return [
      { role: 'assistant', content: null, tool_calls: calls },
      ...turn.calls.map(({ id, text = 'done' }) => ({
        role: 'tool',
        tool_call_id: id,
        content: text,
      })),
    ];
  });
  return some({
    messages: system === undefined ? messages : [{ role: 'system', content: system }, ...messages],
    max_completion_tokens: ask.maxTokens ?? MAX_TOKENS,
    tools: tools?.map(({ name, schema, strict }) => ({
      type: 'function',
      function: some({ name, description: 'A tool.', parameters: schema, strict }),
    })),
    tool_choice:
      force === 'any' ? 'required' : force && { type: 'function', function: { name: force.name } },
    parallel_tool_calls: ask.serial === true ? false : undefined,
    temperature: ask.temperature,
    top_p: ask.topP,
    presence_penalty: ask.penalty,
    frequency_penalty: ask.penalty,
    seed: ask.seed,
    stop: ask.stop,
    reasoning_effort: ask.effort,
    response_format:
      format === 'json'
        ? { type: 'json_object' }
        : format && { type: 'json_schema', json_schema: { name: 'reply', ...format } },
    ...ask.extra?.chat,
  });
}

function responses(ask: Ask): Json {
  const { image, tools, force, format } = ask;
  const input = turnsOf(ask).flatMap((turn): Json[] => {
    if ('user' in turn) {
      const text = { type: 'input_text', text: turn.user };
      const picture = image && { type: 'input_image', detail: 'auto', image_url: imageUrl(image) };
      return [{ role: 'user', content: picture === undefined ? [text] : [text, picture] }];
    }
    if ('assistant' in turn) return [{ role: 'assistant', content: turn.assistant }];
    return [
      ...turn.calls.map(({ id, name }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: '{"a":1}',
      })),
      ...turn.calls.map(({ id, text = 'done' }) => ({
        type: 'function_call_output',
        call_id: id,
        output: text,
      })),
    ];
  });
  return some({
    input,
    store: false,
    instructions: ask.system,
    max_output_tokens: ask.maxTokens ?? MAX_TOKENS,
    tools: tools?.map(({ name, schema, strict = false }) => ({
      type: 'function',
      name,
      description: 'A tool.',
      parameters: schema,
      strict,
    })),
    tool_choice: force === 'any' ? 'required' : force && { type: 'function', name: force.name },
    parallel_tool_calls: ask.serial === true ? false : undefined,
    temperature: ask.temperature,
    top_p: ask.topP,
    reasoning: ask.effort === undefined ? undefined : { effort: ask.effort },
    text:
      format &&
      (format === 'json'
        ? { format: { type: 'json_object' } }
        : { format: { type: 'json_schema', name: 'reply', ...format } }),
    ...ask.extra?.responses,
  });
}

function messages(ask: Ask): Json {
  const { image, tools, force, effort, budget, format } = ask;
  const source =
    image &&
    ('url' in image
      ? { type: 'url', url: image.url }
      : { type: 'base64', media_type: image.type, data: PIXEL });
  const all = turnsOf(ask).flatMap((turn): Json[] => {
    if ('user' in turn) {
      const text = { type: 'text', text: turn.user };
      return [{ role: 'user', content: source ? [{ type: 'image', source }, text] : [text] }];
    }
    if ('assistant' in turn) return [{ role: 'assistant', content: turn.assistant }];
    return [
      {
        role: 'assistant',
        content: turn.calls.map(({ id, name }) => ({
          type: 'tool_use',
          id,
          name,
          input: { a: 1 },
        })),
      },
      {
        role: 'user',
        content: turn.calls.map(({ id, text = 'done' }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: text,
        })),
      },
    ];
  });
  const config = some({
    effort,
    format:
      format && format !== 'json' ? { type: 'json_schema', schema: format.schema } : undefined,
  });
  const choice = force && (force === 'any' ? { type: 'any' } : { type: 'tool', name: force.name });
  return some({
    messages: all,
    system: ask.system,
    max_tokens: ask.maxTokens ?? MAX_TOKENS,
    tools: tools?.map(({ name, schema, strict }) =>
      some({ name, description: 'A tool.', input_schema: schema, strict }),
    ),
    tool_choice:
      ask.serial === true
        ? { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true }
        : choice,
    temperature: ask.temperature,
    top_p: ask.topP,
    top_k: ask.topK,
    stop_sequences: ask.stop,
    thinking: budget === undefined ? undefined : { type: 'enabled', budget_tokens: budget },
    output_config: Object.keys(config).length > 0 ? config : undefined,
    ...ask.extra?.messages,
  });
}

function gemini(ask: Ask): Json {
  const { image, tools, force, format } = ask;
  const contents = turnsOf(ask).flatMap((turn): Json[] => {
    if ('user' in turn) {
      const picture =
        image &&
        ('url' in image
          ? { fileData: { fileUri: image.url, mimeType: 'image/png' } }
          : { inlineData: { mimeType: image.type, data: PIXEL } });
      return [{ role: 'user', parts: [{ text: turn.user }, ...(picture ? [picture] : [])] }];
    }
    if ('assistant' in turn) return [{ role: 'model', parts: [{ text: turn.assistant }] }];
    return [
      {
        role: 'model',
        parts: turn.calls.map(({ id, name }) => ({ functionCall: { id, name, args: { a: 1 } } })),
      },
      {
        role: 'user',
        parts: turn.calls.map(({ id, name, text = 'done' }) => ({
          functionResponse: { id, name, response: { output: text } },
        })),
      },
    ];
  });
  const thinking = some({
    thinkingLevel: ask.effort?.toUpperCase(),
    thinkingBudget: ask.budget,
  });
  return some({
    contents,
    systemInstruction: ask.system === undefined ? undefined : { parts: [{ text: ask.system }] },
    tools: tools && [
      {
        functionDeclarations: tools.map(({ name, schema }) => ({
          name,
          description: 'A tool.',
          parametersJsonSchema: schema,
        })),
      },
    ],
    toolConfig: force && {
      functionCallingConfig: {
        mode: 'ANY',
        ...(force !== 'any' && { allowedFunctionNames: [force.name] }),
      },
    },
    generationConfig: some({
      maxOutputTokens: ask.maxTokens ?? MAX_TOKENS,
      temperature: ask.temperature,
      topP: ask.topP,
      topK: ask.topK,
      presencePenalty: ask.penalty,
      frequencyPenalty: ask.penalty,
      seed: ask.seed,
      stopSequences: ask.stop,
      thinkingConfig: Object.keys(thinking).length > 0 ? thinking : undefined,
      responseMimeType: format === undefined ? undefined : 'application/json',
      responseJsonSchema: format === undefined || format === 'json' ? undefined : format.schema,
    }),
    ...ask.extra?.gemini,
  });
}

const BODIES: Readonly<Record<Client, (ask: Ask) => Json>> = { chat, responses, messages, gemini };

export function bodyOf(client: Client, ask: Ask): Json {
  return BODIES[client](ask);
}
