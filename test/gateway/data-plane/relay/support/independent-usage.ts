import type { Upstream } from './open-paths.ts';

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

type Json = Readonly<Record<string, unknown>>;

/** The names of prompt, output and total of each protocol. */
const NAMES: Readonly<Record<Upstream, readonly [string, string, string]>> = {
  chat: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  completions: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  embeddings: ['prompt_tokens', '', 'total_tokens'],
  responses: ['input_tokens', 'output_tokens', 'total_tokens'],
  messages: ['input_tokens', 'output_tokens', ''],
  gemini: ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'],
};

const TOKENS_MAX = 16_000;

/**
 * Returns the usage that a reply reports, read without the gateway's code. Undefined unless there
 * is one report that can be read in one way only: with nothing but prompt, output and their sum.
 */
export function independentUsage(upstream: Upstream, text: string): Tokens | undefined {
  const found = objectsIn(text).flatMap(({ type, ...rest }) =>
    usagesIn(rest).map((usage) => ({ type, usage })),
  );
  const [first] = found;
  if (first === undefined || found.length !== 1) return undefined;
  // Messages' first event has the prompt's count, and the output's before there is any.
  if (first.type === 'message_start') return undefined;
  const only = first.usage;
  const [prompt, completion, total] = NAMES[upstream];
  const names = [prompt, completion, total].filter((name) => name !== '');
  if (Object.keys(only).toSorted().join() !== names.toSorted().join()) return undefined;
  const input = only[prompt];
  const output = completion === '' ? 0 : only[completion];
  if (!isCount(input) || !(isCount(output) || completion === '')) return undefined;
  const sum = total === '' ? input + Number(output) : only[total];
  return sum === input + Number(output) ? { input, output: Number(output) } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= TOKENS_MAX;
}

function objectsIn(text: string): Json[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  // Not by `^`, `$` and `.`: to those U+2028 ends a line too, which it does not in an event.
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => parsed(line.slice('data:'.length)))
    .filter((object) => object !== undefined);
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** Every object of that name, however deep. */
function usagesIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const isUsage = (key === 'usage' || key === 'usageMetadata') && isObject(inner);
    return isUsage ? [inner] : usagesIn(inner);
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
