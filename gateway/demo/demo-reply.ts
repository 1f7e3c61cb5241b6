import { randomUUID } from 'node:crypto';
import type { WireChoice, WireReply, WireToolCall } from './chat-wire.ts';
import { demoTokens } from './demo-tokens.ts';

/** The part of a request that the demo upstream acts on; everything else is ignored. */
export interface DemoRequest {
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly choices: number;
  readonly tokensMax: number;
  readonly stops: readonly string[];
  readonly json: boolean;
  /** The tool that must be called, null when none must. */
  readonly forcedTool: string | null;
}

const CHOICES_MAX = 128;
const QUOTE_CHARACTERS_MAX = 80;
/** Chat formats spend a few tokens on each message's role; OpenAI documents three. */
const TOKENS_PER_MESSAGE = 3;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function positiveInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

function functionName(tool: unknown): string | null {
  const { name } = fieldsOf(fieldsOf(tool)['function']);
  return typeof name === 'string' ? name : null;
}

function forcedTool({ tools, tool_choice: choice }: Fields): string | null {
  if (choice === 'required') return functionName(listOf(tools)[0]);
  return functionName(choice);
}

function stopTexts(stop: unknown): string[] {
  const given = typeof stop === 'string' ? [stop] : listOf(stop);
  return given.filter((text): text is string => typeof text === 'string' && text !== '');
}

/** Reads a request body; undefined when it is not a chat completion request. */
export function readDemoRequest(body: unknown): DemoRequest | undefined {
  const fields = fieldsOf(body);
  const { model, messages, n } = fields;
  if (typeof model !== 'string' || !Array.isArray(messages)) return undefined;
  const { type } = fieldsOf(fields['response_format']);
  return {
    model,
    messages,
    stream: fields['stream'] === true,
    includeUsage: fieldsOf(fields['stream_options'])['include_usage'] === true,
    choices: Math.min(positiveInteger(n) ?? 1, CHOICES_MAX),
    tokensMax:
      positiveInteger(fields['max_completion_tokens']) ??
      positiveInteger(fields['max_tokens']) ??
      Infinity,
    stops: stopTexts(fields['stop']),
    json: type === 'json_object' || type === 'json_schema',
    forcedTool: forcedTool(fields),
  };
}

/** The text of a message: its content, or the text parts of it. */
function messageText(message: unknown): string {
  const { content } = fieldsOf(message);
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => fieldsOf(part)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

function replyText({ messages, json }: DemoRequest): string {
  const last = messages.findLast((message) => fieldsOf(message)['role'] === 'user');
  const said = messageText(last).replace(/\s+/g, ' ').trim();
  const quote =
    said.length > QUOTE_CHARACTERS_MAX ? `${said.slice(0, QUOTE_CHARACTERS_MAX)}…` : said;
  const text =
    `Hello from Weir's demo upstream. ${quote === '' ? '' : `You wrote: "${quote}". `}` +
    'Your key, balance and base address work; this reply was metered and billed like any other, ' +
    'but no language model wrote it. To reach a real one, add a channel in the console under ' +
    'Channels, or start Weir on a fresh data folder with UPSTREAM_BASE_URL and UPSTREAM_API_KEY set.';
  return json ? JSON.stringify({ message: text }) : text;
}

function cutAtStop(text: string, stops: readonly string[]): string {
  const cuts = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return text.slice(0, Math.min(text.length, ...cuts));
}

function toolCall(name: string): WireToolCall {
  return { id: `call_${randomUUID().replaceAll('-', '')}`, name, fragments: ['{}'] };
}

function demoChoice(request: DemoRequest): { choice: WireChoice; tokens: number } {
  if (request.forcedTool !== null) {
    const called = toolCall(request.forcedTool);
    const tokens = demoTokens(called.name).length + demoTokens('{}').length;
    return { choice: { pieces: [], toolCalls: [called], finishReason: 'tool_calls' }, tokens };
  }
  const tokens = demoTokens(cutAtStop(replyText(request), request.stops));
  const pieces = tokens.slice(0, request.tokensMax);
  const finishReason = pieces.length < tokens.length ? 'length' : 'stop';
  return { choice: { pieces, toolCalls: [], finishReason }, tokens: pieces.length };
}

/** A friendly, deterministic reply with honest usage by the demo's own tokenizer. */
export function demoReply(request: DemoRequest): WireReply {
  const choices = Array.from({ length: request.choices }, () => demoChoice(request));
  const promptTokens = request.messages
    .map((message) => demoTokens(messageText(message)).length + TOKENS_PER_MESSAGE)
    .reduce((sum, tokens) => sum + tokens, 0);
  const completionTokens = choices.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    identity: {
      id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
      created: Math.floor(Date.now() / 1000),
      model: request.model,
    },
    choices: choices.map(({ choice }) => choice),
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}
