import type { RequestShape } from './load/request-shape.ts';
import type { StreamForm } from './models.ts';

/** The path at which every proxy under test takes chat completions. */
const PATH = '/v1/chat/completions';

const SYSTEM = 'You are a helpful assistant. Answer briefly and say when you do not know.';
const QUESTION = 'What is a weir, and what is it good for? Answer in two sentences, please.';

/** About 200 kB, as coding agents send: a long history and the tools that could be called. */
const AGENT_TURNS = 96;
const AGENT_TOOLS = 24;
const AGENT_MESSAGES_TOOLS = 40;
const AGENT_TURN_CHARACTERS = 1_700;

function shape(body: object, keys: readonly string[]): RequestShape {
  return { path: PATH, bodies: [JSON.stringify(body)], headers: {}, keys };
}

const shortMessages = [
  { role: 'system', content: SYSTEM },
  { role: 'user', content: QUESTION },
];

/** A small question and its answer in one piece; a little under 300 bytes. */
export function shortRequest(keys: readonly string[], model = 'short'): RequestShape {
  return shape({ model, messages: shortMessages, temperature: 0.7, max_tokens: 256 }, keys);
}

/** The short request to each of the models in turn. */
export function modelsRequest(keys: readonly string[], models: readonly string[]): RequestShape {
  const bodies = models.flatMap((model) => shortRequest(keys, model).bodies);
  return { path: PATH, bodies, headers: {}, keys };
}

export function streamRequest(keys: readonly string[], model: string): RequestShape {
  return shape({ model, messages: shortMessages, stream: true, max_tokens: 1024 }, keys);
}

/** A prompt for one image; streamed, three partial ones come before it. */
export function imageRequest(
  keys: readonly string[],
  model: string,
  stream: boolean,
): RequestShape {
  const asked = { model, prompt: QUESTION, quality: 'high', size: '1024x1536' };
  const body = stream ? { ...asked, stream, partial_images: 3 } : asked;
  return { ...shape(body, keys), path: '/v1/images/generations' };
}

export function speechRequest(keys: readonly string[], model: string): RequestShape {
  const body = { model, input: QUESTION, voice: 'alloy' };
  return { ...shape(body, keys), path: '/v1/audio/speech' };
}

/** The same question and stream in another protocol. */
export function protocolStreamRequest(
  protocol: StreamForm,
  keys: readonly string[],
  model: string,
): RequestShape {
  if (protocol === 'chat') return streamRequest(keys, model);
  const [path, body] = PROTOCOL_STREAMS[protocol](model);
  return { path, bodies: [JSON.stringify(body)], headers: {}, keys };
}

const PROTOCOL_STREAMS = {
  messages: (model: string) => [
    '/v1/messages',
    {
      model,
      system: SYSTEM,
      messages: [{ role: 'user', content: QUESTION }],
      stream: true,
      max_tokens: 1024,
    },
  ],
  bedrock: (model: string) => [
    `/model/${model}/invoke-with-response-stream`,
    {
      anthropic_version: 'bedrock-2023-05-31',
      system: SYSTEM,
      messages: [{ role: 'user', content: QUESTION }],
      max_tokens: 1024,
    },
  ],
  responses: (model: string) => [
    '/v1/responses',
    { model, instructions: SYSTEM, input: QUESTION, stream: true, max_output_tokens: 1024 },
  ],
  gemini: (model: string) => [
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    {
      systemInstruction: { parts: [{ text: SYSTEM }] },
      contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      generationConfig: { maxOutputTokens: 1024 },
    },
  ],
} as const satisfies Record<string, (model: string) => readonly [string, object]>;

/** Source code with quotes, escapes and a few letters beyond ASCII, of a given length. */
function sourceText(characters: number, seed: number): string {
  const line =
    `  if (level > gate.limit) { log("höchster Stand:\\t" + level); open(gate, ${seed}); }\n` +
    `  // The gate's own notes say: "never above ½ of its height".\n`;
  return line.repeat(Math.ceil(characters / line.length)).slice(0, characters);
}

const TOOL_DESCRIPTION = 'Reads or changes a file of the project and answers what it did. '.repeat(
  4,
);

const TOOL_SCHEMA = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path from the root of the project.' },
    lines: { type: 'array', items: { type: 'integer' }, description: 'First and last.' },
    text: { type: 'string', description: 'What to write there.' },
  },
  required: ['path'],
  additionalProperties: false,
};

function agentTool(index: number): object {
  return {
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: TOOL_DESCRIPTION,
      parameters: TOOL_SCHEMA,
    },
  };
}

function messagesTool(index: number): object {
  return { name: `tool_${index}`, description: TOOL_DESCRIPTION, input_schema: TOOL_SCHEMA };
}

/** One step of an agent: it called a tool, and the tool answered with a piece of a file. */
function agentTurn(index: number): object[] {
  const id = `call_${String(index).padStart(24, '0')}`;
  const call = { name: `tool_${index % AGENT_TOOLS}`, arguments: `{"path":"gates/${index}.ts"}` };
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] },
    { role: 'tool', tool_call_id: id, content: sourceText(AGENT_TURN_CHARACTERS, index) },
  ];
}

function agentMessagesTurn(index: number): object[] {
  const id = `toolu_${String(index).padStart(22, '0')}`;
  const name = `tool_${index % AGENT_MESSAGES_TOOLS}`;
  const input = { path: `gates/${index}.ts` };
  const content = sourceText(AGENT_TURN_CHARACTERS, index);
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];
}

export function agentRequest(keys: readonly string[], turns = AGENT_TURNS): RequestShape {
  const messages = [
    ...shortMessages,
    ...Array.from({ length: turns }, (_, index) => agentTurn(index)).flat(),
  ];
  const tools = Array.from({ length: AGENT_TOOLS }, (_, index) => agentTool(index));
  return shape({ model: 'short', messages, tools, tool_choice: 'auto', max_tokens: 1024 }, keys);
}

/** The history of {@link agentRequest} in the form of Messages, with forty tools. */
export function agentMessagesRequest(keys: readonly string[], turns = AGENT_TURNS): RequestShape {
  const messages = Array.from({ length: turns }, (_, index) => agentMessagesTurn(index)).flat();
  const tools = Array.from({ length: AGENT_MESSAGES_TOOLS }, (_, index) => messagesTool(index));
  const body = {
    model: 'short',
    system: SYSTEM,
    messages: [{ role: 'user', content: QUESTION }, ...messages],
    tools,
    max_tokens: 1024,
  };
  return { path: '/v1/messages', bodies: [JSON.stringify(body)], headers: {}, keys };
}
