/** The vendors' own SDKs, as clients of each protocol that stream one turn after another. */
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI, type Content, type Part } from '@google/genai';
import OpenAI from 'openai';
import type { Spoken } from './one-turn.ts';
import type { ToolCall } from './turn-upstreams.ts';

export interface Site {
  /** Weir's origin. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** A user's question; without calls before it, it begins a conversation. */
export interface Question {
  readonly site: Site;
  readonly signal?: AbortSignal;
  readonly onText?: () => void;
  readonly offersTools?: boolean;
  /** Base64 of a PNG. */
  readonly image?: string;
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly thinks?: boolean;
  /** The turn before, and the results of its calls in the order in which they are sent. */
  readonly before?: {
    readonly answer: Answer;
    readonly results: readonly (ToolCall & { readonly result: string })[];
  };
}

export interface Answer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly ToolCall[];
  /** The end reason, in the protocol's words. */
  readonly end: string;
  /** The reply as it is sent back. */
  readonly replayed: unknown;
}

export interface TurnClient {
  readonly protocol: Spoken;
  /** Rejects when the stream breaks or ends in an error. */
  ask(question: Question): Promise<Answer>;
}

const PROMPT = 'Where is it?';
const OUTPUT_TOKENS_MAX = 8_000;
const TOOLS = ['look_up', 'measure'].map((name) => ({
  name,
  description: `Can ${name}`,
  parameters: { type: 'object' as const, properties: { city: { type: 'string' } } },
}));

/** Reasoning is in no published type. */
type ThinkingDelta = OpenAI.ChatCompletionChunk.Choice.Delta & {
  readonly reasoning_content?: string;
};

const chat: TurnClient = {
  protocol: 'openai-chat',
  ask: async ({ site, signal, onText, offersTools, image, schema, thinks, before }) => {
    const client = new OpenAI({ baseURL: `${site.url}/v1`, apiKey: site.key, maxRetries: 0 });
    const url = `data:image/png;base64,${image ?? ''}`;
    const stream = await client.chat.completions.create(
      {
        model: site.model,
        stream: true,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: PROMPT },
              ...(image === undefined ? [] : [{ type: 'image_url' as const, image_url: { url } }]),
            ],
          },
          ...(before === undefined
            ? []
            : [
                before.answer.replayed as OpenAI.ChatCompletionAssistantMessageParam,
                ...before.results.map(({ id, result }) => ({
                  role: 'tool' as const,
                  tool_call_id: id,
                  content: result,
                })),
              ]),
        ],
        ...(offersTools === true && {
          tools: TOOLS.map((tool) => ({ type: 'function' as const, function: tool })),
        }),
        ...(schema && {
          response_format: { type: 'json_schema', json_schema: { name: 'city', schema } },
        }),
        ...(thinks === true && { reasoning_effort: 'high' as const }),
      },
      signal && { signal },
    );
    let [text, thought, end] = ['', '', ''];
    const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] =
      [];
    for await (const { choices } of stream) {
      const [choice] = choices;
      const piece: ThinkingDelta | undefined = choice?.delta;
      thought += piece?.reasoning_content ?? '';
      text += piece?.content ?? '';
      end = choice?.finish_reason ?? end;
      if (piece?.content) onText?.();
      for (const { index, id = '', function: part } of piece?.tool_calls ?? []) {
        calls[index] ??= { id, type: 'function', function: { name: '', arguments: '' } };
        calls[index].function.name += part?.name ?? '';
        calls[index].function.arguments += part?.arguments ?? '';
      }
    }
    // The SDK takes a client that leaves for the end.
    if (end === '') throw new Error('the stream has no end');
    return {
      ...{ text, thought, end },
      calls: calls.map((call) => ({
        id: call.id,
        name: call.function.name,
        input: JSON.parse(call.function.arguments) as object,
      })),
      replayed: { role: 'assistant', content: text, reasoning_content: thought, tool_calls: calls },
    };
  },
};

const responses: TurnClient = {
  protocol: 'openai-responses',
  ask: async ({ site, signal, onText, offersTools, image, schema, thinks, before }) => {
    const client = new OpenAI({ baseURL: `${site.url}/v1`, apiKey: site.key, maxRetries: 0 });
    const url = `data:image/png;base64,${image ?? ''}`;
    const stream = client.responses.stream(
      {
        model: site.model,
        store: false,
        include: ['reasoning.encrypted_content'],
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: PROMPT },
              ...(image === undefined
                ? []
                : [{ type: 'input_image' as const, image_url: url, detail: 'auto' as const }]),
            ],
          },
          ...(before === undefined
            ? []
            : [
                ...(before.answer.replayed as OpenAI.Responses.ResponseInputItem[]),
                ...before.results.map(({ id, result }) => ({
                  type: 'function_call_output' as const,
                  call_id: id,
                  output: result,
                })),
              ]),
        ],
        ...(offersTools === true && {
          tools: TOOLS.map((tool) => ({ type: 'function' as const, strict: false, ...tool })),
        }),
        ...(schema && { text: { format: { type: 'json_schema', name: 'city', schema } } }),
        ...(thinks === true && { reasoning: { effort: 'high', summary: 'auto' } }),
      },
      signal && { signal },
    );
    stream.on('response.output_text.delta', () => onText?.());
    const { status, error, output, output_text: text } = await stream.finalResponse();
    if (error) throw new Error(error.message);
    return {
      text,
      thought: output
        .map((item) =>
          item.type === 'reasoning' ? item.summary.map((part) => part.text).join('') : '',
        )
        .join(''),
      end: status ?? '',
      calls: output.flatMap((item) =>
        item.type === 'function_call'
          ? [
              {
                id: item.call_id,
                name: item.name,
                input: JSON.parse(item.arguments) as object,
              },
            ]
          : [],
      ),
      replayed: output,
    };
  },
};

const messages: TurnClient = {
  protocol: 'anthropic-messages',
  ask: async ({ site, signal, onText, offersTools, image, schema, thinks, before }) => {
    const client = new Anthropic({ baseURL: site.url, apiKey: site.key, maxRetries: 0 });
    const source = { type: 'base64', media_type: 'image/png', data: image ?? '' } as const;
    const stream = client.messages.stream(
      {
        model: site.model,
        max_tokens: OUTPUT_TOKENS_MAX,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: PROMPT },
              ...(image === undefined ? [] : [{ type: 'image' as const, source }]),
            ],
          },
          ...(before === undefined
            ? []
            : [
                {
                  role: 'assistant' as const,
                  content: before.answer.replayed as Anthropic.ContentBlockParam[],
                },
                {
                  role: 'user' as const,
                  content: before.results.map(({ id, result }) => ({
                    type: 'tool_result' as const,
                    tool_use_id: id,
                    content: result,
                  })),
                },
              ]),
        ],
        ...(offersTools === true && {
          tools: TOOLS.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
        }),
        ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
        ...(thinks === true && { thinking: { type: 'enabled', budget_tokens: 2_000 } }),
      },
      signal && { signal },
    );
    stream.on('text', () => onText?.());
    const { content, stop_reason: end } = await stream.finalMessage();
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      thought: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      end: end ?? '',
      calls: content.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ id: block.id, name: block.name, input: block.input as object }]
          : [],
      ),
      replayed: content,
    };
  },
};

const gemini: TurnClient = {
  protocol: 'gemini',
  ask: async ({ site, signal, onText, offersTools, image, schema, thinks, before }) => {
    const client = new GoogleGenAI({ apiKey: site.key, httpOptions: { baseUrl: site.url } });
    const inlineData = { mimeType: 'image/png', data: image ?? '' };
    const contents: Content[] = [
      {
        role: 'user',
        parts: [{ text: PROMPT }, ...(image === undefined ? [] : [{ inlineData }])],
      },
      ...(before === undefined
        ? []
        : [
            { role: 'model', parts: before.answer.replayed as Part[] },
            {
              role: 'user',
              parts: before.results.map(({ id, name, result }) => ({
                functionResponse: { id, name, response: { output: result } },
              })),
            },
          ]),
    ];
    const stream = await client.models.generateContentStream({
      model: site.model,
      contents,
      config: {
        ...(signal && { abortSignal: signal }),
        ...(offersTools === true && {
          tools: [
            {
              functionDeclarations: TOOLS.map(({ parameters, ...tool }) => ({
                ...tool,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        }),
        ...(schema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
        ...(thinks === true && { thinkingConfig: { includeThoughts: true } }),
      },
    });
    const parts: Part[] = [];
    let end = '';
    for await (const { candidates } of stream) {
      const [candidate] = candidates ?? [];
      const more = candidate?.content?.parts ?? [];
      parts.push(...more);
      end = candidate?.finishReason ?? end;
      if (more.some(({ text, thought }) => text && thought !== true)) onText?.();
    }
    const textOf = (thoughts: boolean): string =>
      parts
        .filter(({ thought = false }) => thought === thoughts)
        .map(({ text = '' }) => text)
        .join('');
    // An SDK reads a stream that breaks as one that is over.
    if (end === '') throw new Error('the stream has no end');
    return {
      ...{ text: textOf(false), thought: textOf(true), end, replayed: parts },
      calls: parts.flatMap(({ functionCall: call }) =>
        call === undefined
          ? []
          : [{ id: call.id ?? '', name: call.name ?? '', input: call.args ?? {} }],
      ),
    };
  },
};

export const TURN_CLIENTS: readonly TurnClient[] = [chat, responses, messages, gemini];
