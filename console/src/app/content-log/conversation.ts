/** One part of a conversation as people read it. */
export interface Passage {
  /** The role that the client or the model gave it; `reply` for what came back without one. */
  readonly role: string;
  readonly text: string;
}

type Json = Readonly<Record<string, unknown>>;

const PROMPT_MEMBERS = ['messages', 'input', 'contents', 'prompt'] as const;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The words of a message's content: a text, or parts with one. Calls of tools are shown with their
 * arguments; images, sounds and files are named by their type.
 */
function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) {
    return content
      .map(wordsOf)
      .filter((words) => words !== '')
      .join('\n');
  }
  if (!isObject(content)) return '';
  const { text, thinking, content: inner, parts, output, type } = content;
  for (const words of [text, thinking]) if (typeof words === 'string') return words;
  const call = callOf(content);
  if (call !== undefined) return call;
  for (const nested of [inner, parts, output]) if (nested != null) return wordsOf(nested);
  return typeof type === 'string' ? `[${type}]` : '';
}

/** Chat completions, Responses, Messages and Gemini name calls differently. */
function callOf(part: Json): string | undefined {
  const inner = [part['function'], part['functionCall']].find(isObject) ?? part;
  const given = inner['arguments'] ?? inner['args'] ?? inner['input'];
  if (typeof inner['name'] !== 'string' || given === undefined) return undefined;
  return `${inner['name']}(${typeof given === 'string' ? given : JSON.stringify(given)})`;
}

function passageOf(message: unknown): Passage[] {
  if (typeof message === 'string') return [{ role: 'user', text: message }];
  if (!isObject(message)) return [];
  const role = typeof message['role'] === 'string' ? message['role'] : 'user';
  const calls = Array.isArray(message['tool_calls']) ? wordsOf(message['tool_calls']) : '';
  const words = wordsOf(message['content'] ?? message['parts'] ?? message);
  const text = [words, calls].filter((part) => part !== '').join('\n');
  return text === '' ? [] : [{ role, text }];
}

/** The conversation that a request sends; undefined where it is none that is known. */
export function promptOf(request: string): readonly Passage[] | undefined {
  const body = parse(request);
  if (!isObject(body)) return undefined;
  const member = PROMPT_MEMBERS.map((name) => body[name]).find((value) => value !== undefined);
  if (member === undefined) return undefined;
  const system = body['system'] ?? body['instructions'] ?? body['systemInstruction'];
  const first = system == null ? '' : wordsOf(system);
  const messages = Array.isArray(member) ? member.flatMap(passageOf) : passageOf(member);
  return first === '' ? messages : [{ role: 'system', text: first }, ...messages];
}

/** The words of a whole reply, of any protocol. */
function wholeReply(body: Json): string {
  const { choices, candidates, content, output, error } = body;
  if (isObject(error) && typeof error['message'] === 'string') return error['message'];
  if (Array.isArray(choices)) return wordsOf(choices.map(messageOfChoice));
  if (Array.isArray(candidates)) return wordsOf(candidates.map(contentOfCandidate));
  return wordsOf(content ?? output);
}

function messageOfChoice(choice: unknown): unknown {
  if (!isObject(choice)) return '';
  const message = choice['message'];
  if (!isObject(message)) return choice['text'];
  return [message['content'], message['tool_calls']].filter((part) => part != null);
}

function contentOfCandidate(candidate: unknown): unknown {
  return isObject(candidate) ? candidate['content'] : '';
}

/** The piece of text that one event of a stream adds. */
function deltaOf(event: Json): string {
  const { choices, candidates, delta, type } = event;
  if (Array.isArray(choices)) return choices.map(deltaOfChoice).join('');
  if (Array.isArray(candidates)) return wordsOf(candidates.map(contentOfCandidate));
  if (typeof delta === 'string') {
    return type === 'response.output_text.delta' || type === 'response.refusal.delta' ? delta : '';
  }
  if (isObject(delta) && typeof delta['text'] === 'string') return delta['text'];
  const { error } = event;
  return isObject(error) && typeof error['message'] === 'string' ? error['message'] : '';
}

function deltaOfChoice(choice: unknown): string {
  if (!isObject(choice)) return '';
  const { delta, text } = choice;
  if (typeof text === 'string') return text;
  return isObject(delta) && typeof delta['content'] === 'string' ? delta['content'] : '';
}

/** The text of a reply, whole or as a stream of events; undefined where there is none. */
export function replyOf(reply: string): string | undefined {
  const whole = parse(reply);
  if (isObject(whole)) return wholeReply(whole) || undefined;
  if (Array.isArray(whole)) return whole.filter(isObject).map(deltaOf).join('') || undefined;
  const events = reply.split('\n').filter((line) => line.startsWith('data:'));
  const words = events
    .map((line) => parse(line.slice('data:'.length)))
    .filter(isObject)
    .map(deltaOf)
    .join('');
  return words === '' ? undefined : words;
}
