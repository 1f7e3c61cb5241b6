import type { EndReason, NeutralReply } from '../reply.ts';
import type { AssistantPart, ToolCallPart } from '../request.ts';
import { DistinctCalls } from './names/distinct-calls.ts';
import type { Restoration } from './fitted-request.ts';
import { KeyRenamer, renameKeys } from './names/key-renamer.ts';

/**
 * Returns an upstream's reply as the client's request wanted it: with the client's names of its
 * tools, ids of calls that are new to it, and the input of the tool that Weir added for a format as
 * text. Stop sequences are not looked for here.
 */
export function restoreReply(
  reply: NeutralReply,
  restoration: Restoration | null | undefined,
): NeutralReply {
  const { toolNames, propertyNames, formatPropertyNames, formatTool, callIds } = restoration ?? {};
  const answer =
    formatTool === undefined ? undefined : reply.parts.find((part) => isCallOf(part, formatTool));
  const isChanged =
    (toolNames ?? propertyNames ?? formatPropertyNames ?? callIds ?? answer) !== undefined;
  if (!isChanged) return reply;
  const calls = new DistinctCalls(callIds);
  // The JSON of a format may lie in several texts.
  const texts = formatPropertyNames && new KeyRenamer(formatPropertyNames);
  const parts = reply.parts.flatMap((part): readonly AssistantPart[] => {
    if (part === answer) return [answerText(part, propertyNames)];
    // Around it would be no JSON any more; a second answer neither.
    const isExtra = part.type === 'text' || isCallOf(part, formatTool);
    if (answer !== undefined && isExtra) return [];
    if (part.type === 'text') return [texts ? { ...part, text: texts.push(part.text) } : part];
    if (part.type !== 'tool_call') return [part];
    const name = toolNames?.get(part.name) ?? part.name;
    const named = { ...part, id: calls.idOf(part.id), name };
    return [part.freeForm ? named : withOwnKeys(named, propertyNames?.get(name))];
  });
  const rest = texts?.end() ?? '';
  if (rest !== '') parts.push({ type: 'text', text: rest });
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

/** A call whose input has the client's names of properties. */
function withOwnKeys(
  call: ToolCallPart,
  names: ReadonlyMap<string, string> | undefined,
): ToolCallPart {
  return names === undefined ? call : { ...call, input: renameKeys(call.input, names) };
}

function answerText(
  part: AssistantPart,
  propertyNames: Restoration['propertyNames'],
): AssistantPart {
  if (part.type !== 'tool_call') return part;
  const { input, proof } = withOwnKeys(part, propertyNames?.get(part.name));
  const text = input === '' ? '{}' : input;
  return { type: 'text', text, ...(proof === undefined ? {} : { proof }) };
}
