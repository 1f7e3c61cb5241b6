import type { TargetProfile } from '../../target-profile.ts';
import type { NeutralRequest, NeutralTool, ReplyFormat, ToolChoice } from '../request.ts';
import { addInstruction } from './conversation/add-instruction.ts';
import type { Fit, FitStep } from './fit-request.ts';
import { thinks } from './fit-reasoning.ts';
import { fittedName } from './names/fitted-name.ts';

type SchemaFormat = Extract<ReplyFormat, { type: 'json_schema' }>;

const JSON_ONLY = 'Answer with one JSON object and nothing else: no other text and no code fence.';
/** The same alongside tools, which the model may call first. */
const JSON_AT_LAST =
  'Call tools as you need them. When you answer, answer with one JSON object and nothing else: no other text and no code fence.';
const TOOL_DESCRIPTION =
  'Gives the answer. Call it once, when you have all that it needs; its input is the whole answer.';

/**
 * Asks for the format of the reply in the way that the target knows: by its own field, by a tool
 * whose input is the reply, or by an instruction.
 */
export const fitFormat: Fit = (request, profile) => {
  const { format, tools } = request;
  if (format === undefined) return { request };
  if (tools.length > 0 && !profile.formatWithTools) return byPrompt(request, format);
  if (format.type === 'json') return fitObject(request, format, profile);
  if (profile.jsonSchema === 'format') return { request };
  if (profile.jsonSchema === 'tool' && takesTool(request, format, profile)) {
    return byTool(request, format, profile);
  }
  const prompted = byPrompt(request, format);
  // An array is no JSON object.
  if (profile.jsonObject === 'prompt' || !isOfObject(format)) return prompted;
  return { request: { ...prompted.request, format: { type: 'json' } } };
};

function fitObject(request: NeutralRequest, format: ReplyFormat, profile: TargetProfile): FitStep {
  switch (profile.jsonObject) {
    case 'format':
      return { request };
    case 'format_if_named': {
      if (namesJson(request)) return { request };
      return { request: { ...byPrompt(request, format).request, format } };
    }
    case 'prompt':
      return byPrompt(request, format);
  }
}

/** The word is looked for where the vendors that want it look. */
function namesJson({ messages }: NeutralRequest): boolean {
  return messages.some((message) =>
    message.parts.some((part) => part.type === 'text' && /json/i.test(part.text)),
  );
}

function byPrompt(request: NeutralRequest, format: ReplyFormat): FitStep {
  const { format: _format, ...rest } = request;
  const rule = request.tools.length > 0 ? JSON_AT_LAST : JSON_ONLY;
  const text =
    format.type === 'json'
      ? rule
      : `${isOfObject(format) ? rule : rule.replace('object', 'value')} It must match this JSON schema:\n${JSON.stringify(format.schema)}`;
  return { request: addInstruction(rest, text) };
}

/** Reports whether the schema describes an object, as that of every tool's input does. */
function isOfObject({ schema }: SchemaFormat): boolean {
  return schema['type'] === 'object' || schema['properties'] !== undefined;
}

/** A client that forces one of its own tools gets no other reply in this turn. */
function takesTool(request: NeutralRequest, format: SchemaFormat, profile: TargetProfile): boolean {
  const { tools, toolChoice } = request;
  const isFree = toolChoice?.mode !== 'required' && toolChoice?.mode !== 'tool';
  return (
    isFree &&
    isOfObject(format) &&
    tools.length < profile.toolsMax &&
    (profile.forcedTools === 'accepted' ||
      (profile.forcedTools === 'without_thinking' && !thinks(request, profile)))
  );
}

function byTool(
  { format: _format, ...request }: NeutralRequest,
  format: SchemaFormat,
  profile: TargetProfile,
): FitStep {
  const { tools, toolChoice } = request;
  const name = freeName(tools, format, profile);
  const tool: NeutralTool = {
    name,
    description: TOOL_DESCRIPTION,
    schema: format.schema,
    ...(format.strict === true && profile.strictTools ? { strict: true } : {}),
  };
  return {
    request: {
      ...request,
      tools: [...tools, tool],
      toolChoice: choiceWith(name, tools, toolChoice),
    },
    restoration: { formatTool: name },
  };
}

/** The client's tools may be called as before, but the answer is a call as well. */
function choiceWith(
  name: string,
  tools: readonly NeutralTool[],
  choice: ToolChoice | undefined,
): ToolChoice {
  if (tools.length === 0 || choice?.mode === 'none') return { mode: 'tool', name };
  if (choice !== undefined && 'among' in choice) {
    return { mode: 'required', among: [...choice.among, name] };
  }
  return { mode: 'required' };
}

/** A name that fits the target, and that no tool of the client has. */
function freeName(
  tools: readonly NeutralTool[],
  { name = 'answer' }: SchemaFormat,
  { toolName }: TargetProfile,
): string {
  const taken = new Set(tools.map((tool) => tool.name));
  for (let at = 0; ; at += 1) {
    const form = { stem: 'answer', digestLetters: 8 };
    const made = fittedName(at === 0 ? name : `${name}\n${at}`, toolName, form);
    if (!taken.has(made)) return made;
  }
}
