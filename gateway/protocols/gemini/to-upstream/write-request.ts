import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject, OwnJsonObject } from '../../../platform/json/json-value.ts';
import { asFunction } from '../../neutral-form/free-form.ts';
import { refuseUnreadable } from '../../neutral-form/refuse-unreadable.ts';
import type {
  NeutralRequest,
  NeutralTool,
  ReplyFormat,
  ToolChoice,
} from '../../neutral-form/request.ts';
import type { Target } from '../../protocol.ts';
import { thinkingConfig } from './thinking-config.ts';
import { writeContents } from './write-contents.ts';

const NO_LOGPROBS =
  'The log probabilities of this model can be had through Gemini’s interface only. Leave them out.';

/**
 * Returns the body for an upstream that speaks Gemini. Left out, as mere advice: cache marks and
 * keys, for Gemini caches by itself; the user's id; verbosity; whether tools may be called at once.
 */
export function writeRequest(request: NeutralRequest, target: Target): OwnJsonObject | Refusal {
  const fault = refuseUnreadable(request, NO_LOGPROBS);
  if (fault !== undefined) return fault;
  const { system, contents } = writeContents(request.messages, target.profile.signedCalls);
  const body: OwnJsonObject = {
    contents,
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    ...writeTools(request),
    generationConfig: writeConfig(request, target),
    ...(isTier(target.tier) ? { serviceTier: target.tier } : {}),
  };
  for (const name of target.omittedFields) Reflect.deleteProperty(body, name);
  return body;
}

/** Gemini knows no other tiers; without one the request is served in the ordinary one. */
function isTier(tier: string | undefined): boolean {
  return tier === 'flex' || tier === 'priority';
}

function writeConfig(request: NeutralRequest, target: Target): OwnJsonObject {
  const config: OwnJsonObject = {
    maxOutputTokens: target.outputTokensCap ?? request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    seed: request.seed,
    stopSequences: request.stop,
    thinkingConfig: thinkingConfig(request, target.profile),
    ...(request.format === undefined ? {} : writeFormat(request.format)),
  };
  return config;
}

function writeFormat(format: ReplyFormat): JsonObject {
  const responseMimeType = 'application/json';
  return format.type === 'json'
    ? { responseMimeType }
    : { responseMimeType, responseJsonSchema: format.schema };
}

/** The members of a Gemini body that are about tools. There is no switch for calls at once. */
function writeTools({ tools, toolChoice }: NeutralRequest): OwnJsonObject {
  if (tools.length === 0) return {};
  const written: OwnJsonObject = { tools: [{ functionDeclarations: tools.map(writeTool) }] };
  if (toolChoice !== undefined) {
    written['toolConfig'] = { functionCallingConfig: writeChoice(toolChoice) };
  }
  return written;
}

/** Any JSON Schema is taken; `parameters` would take a part of it. */
function writeTool(tool: NeutralTool): JsonObject {
  const { name, description = name, schema } = asFunction(tool);
  return { name, description, parametersJsonSchema: schema };
}

function writeChoice(choice: ToolChoice): JsonObject {
  if (choice.mode === 'tool') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  if ('among' in choice) {
    // Names are taken in these two modes alone; the second lets the model answer with text as well.
    const mode = choice.mode === 'required' ? 'ANY' : 'VALIDATED';
    return { mode, allowedFunctionNames: choice.among };
  }
  return { mode: MODES[choice.mode] };
}

const MODES = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const;
