import type { EndReason, NeutralReply } from '../reply.ts';
import type { AssistantPart } from '../request.ts';
import { DistinctCalls } from './distinct-calls.ts';
import type { Restoration } from './fitted-request.ts';

/**
 * Returns an upstream's reply as the client's request wanted it: with the client's names of its
 * tools, ids of calls that are new to it, and the input of the tool that Weir added for a format as
 * text. Stop sequences are not looked for here.
 */
export function restoreReply(
  reply: NeutralReply,
  restoration: Restoration | null | undefined,
): NeutralReply {
  const { toolNames, formatTool, callIds } = restoration ?? {};
  const answer =
    formatTool === undefined ? undefined : reply.parts.find((part) => isCallOf(part, formatTool));
  const isChanged = toolNames !== undefined || callIds !== undefined || answer !== undefined;
  if (!isChanged) return reply;
  const calls = new DistinctCalls(callIds);
  const parts = reply.parts.flatMap((part): readonly AssistantPart[] => {
    if (part === answer) return [answerText(part)];
    // Around it would be no JSON any more; a second answer neither.
    const isExtra = part.type === 'text' || isCallOf(part, formatTool);
    if (answer !== undefined && isExtra) return [];
    if (part.type !== 'tool_call') return [part];
    return [{ ...part, id: calls.idOf(part.id), name: toolNames?.get(part.name) ?? part.name }];
  });
  if (answer === undefined) return { ...reply, parts };
  const callsTools = parts.some(({ type }) => type === 'tool_call');
  return { ...reply, parts, end: answeredEnd(reply.end, callsTools) };
}

function isCallOf(part: AssistantPart, name: string | undefined): boolean {
  return part.type === 'tool_call' && part.name === name;
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
