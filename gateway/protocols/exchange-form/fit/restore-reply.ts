import type { EndReason, ExchangeReply } from '../reply.ts';
import type { AssistantPart } from '../request.ts';
import type { Restoration } from './fitted-request.ts';

/**
 * Returns an upstream's reply as the client's request wanted it: with the client's names of its
 * tools, and the input of the tool that Weir added for a format as text. Stop sequences are not
 * looked for here.
 */
export function restoreReply(
  reply: ExchangeReply,
  restoration: Restoration | null | undefined,
): ExchangeReply {
  const { toolNames, formatTool } = restoration ?? {};
  if (toolNames === undefined && formatTool === undefined) return reply;
  const isAnswer = (part: AssistantPart): boolean =>
    part.type === 'tool_call' && part.name === formatTool;
  const answer = formatTool === undefined ? undefined : reply.parts.find(isAnswer);
  const parts = reply.parts.flatMap((part): readonly AssistantPart[] => {
    if (answer === undefined) return [withOwnName(part, toolNames)];
    if (part === answer) return [answerText(part)];
    // Around it would be no JSON any more; a second answer neither.
    return part.type === 'text' || isAnswer(part) ? [] : [withOwnName(part, toolNames)];
  });
  const calls = parts.some(({ type }) => type === 'tool_call');
  const end = answer === undefined ? reply.end : answeredEnd(reply.end, calls);
  return { ...reply, parts, end };
}

/** The end of a reply whose answer was a call: the client sees no call, unless of its own tools. */
export function answeredEnd(end: EndReason, callsTools: boolean): EndReason {
  return end === 'tool_calls' && !callsTools ? 'stop' : end;
}

function answerText(part: AssistantPart): AssistantPart {
  if (part.type !== 'tool_call') return part;
  const { input, proof } = part;
  const text = input === '' ? '{}' : input;
  return { type: 'text', text, ...(proof === undefined ? {} : { proof }) };
}

function withOwnName(
  part: AssistantPart,
  toolNames: Restoration['toolNames'] = new Map(),
): AssistantPart {
  if (part.type !== 'tool_call') return part;
  const name = toolNames.get(part.name);
  return name === undefined ? part : { ...part, name };
}
