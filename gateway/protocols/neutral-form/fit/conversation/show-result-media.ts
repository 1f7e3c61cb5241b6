import type { NeutralMessage, TextPart, ToolResultPart, UserPart } from '../../request.ts';

/** The text of a result that has nothing but images or files. */
const SHOWN_BELOW = 'The result is in the next message.';

/**
 * Returns the messages with the images and files of tool results in the user's message behind them,
 * each under the name and id of its call, for targets that take text alone in results. The very
 * same list where there are none.
 */
export function showResultMedia(messages: readonly NeutralMessage[]): readonly NeutralMessage[] {
  if (!messages.some((one) => one.role === 'tool' && one.parts.some(hasMedia))) return messages;
  const shown: NeutralMessage[] = [];
  let media: UserPart[] = [];
  let names: ReadonlyMap<string, string> = new Map();
  for (const message of messages) {
    if (message.role === 'user' && media.length > 0) {
      shown.push({ role: 'user', parts: [...media, ...message.parts] });
      media = [];
      continue;
    }
    if (message.role !== 'tool' && media.length > 0) {
      shown.push({ role: 'user', parts: media });
      media = [];
    }
    if (message.role === 'assistant') names = namesOf(message);
    if (message.role === 'tool' && message.parts.some(hasMedia)) {
      media.push(...message.parts.flatMap((result) => mediaOf(result, names)));
      shown.push({ role: 'tool', parts: message.parts.map(withoutMedia) });
    } else shown.push(message);
  }
  if (media.length > 0) shown.push({ role: 'user', parts: media });
  return shown;
}

type ResultContent = ToolResultPart['content'][number];

/** A text, or a file that is one; undefined of images and other files. */
function textOf(part: ResultContent): TextPart | undefined {
  if (part.type === 'text') return part;
  if (part.type !== 'file' || !('text' in part.source)) return undefined;
  const { name, source, cache } = part;
  const text = name === undefined ? source.text : `${name}\n${source.text}`;
  return { type: 'text', text, ...(cache === undefined ? {} : { cache }) };
}

function hasMedia({ content }: ToolResultPart): boolean {
  return content.some((part) => part.type !== 'text');
}

function namesOf(message: NeutralMessage): ReadonlyMap<string, string> {
  const calls = message.parts.filter((part) => part.type === 'tool_call');
  return new Map(calls.map(({ id, name }) => [id, name]));
}

function mediaOf(result: ToolResultPart, names: ReadonlyMap<string, string>): UserPart[] {
  const media = result.content.filter((part) => textOf(part) === undefined);
  if (media.length === 0) return [];
  const { callId, name = names.get(callId) ?? 'unknown' } = result;
  const head: TextPart = { type: 'text', text: `From the result of ${name} (call ${callId}):` };
  return [head, ...media];
}

function withoutMedia(result: ToolResultPart): ToolResultPart {
  if (!hasMedia(result)) return result;
  const texts = result.content.flatMap((part) => textOf(part) ?? []);
  const content = texts.length > 0 ? texts : [{ type: 'text', text: SHOWN_BELOW } as const];
  return { ...result, content };
}
