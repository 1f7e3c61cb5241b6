import { isRefusal, type Refusal } from '../../../../../../gateway/platform/errors/refusal.ts';
import type {
  Fit,
  FitStep,
} from '../../../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import type {
  AssistantPart,
  NeutralMessage,
  NeutralRequest,
  NeutralTool,
  ToolResultPart,
  UserPart,
} from '../../../../../../gateway/protocols/neutral-form/request.ts';
import type { TargetProfile } from '../../../../../../gateway/protocols/target-profile.ts';

/** A request of these messages and nothing else. */
export function requestOf(
  messages: readonly NeutralMessage[],
  more: Partial<NeutralRequest> = {},
): NeutralRequest {
  return { stream: false, messages, tools: [], choices: 1, ...more };
}

export function text(said: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: said };
}

export function user(...parts: readonly (string | UserPart)[]): NeutralMessage {
  return {
    role: 'user',
    parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
  };
}

export function system(said: string): NeutralMessage {
  return { role: 'system', parts: [text(said)] };
}

export function assistant(...parts: readonly (string | AssistantPart)[]): NeutralMessage {
  return {
    role: 'assistant',
    parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
  };
}

export function call(id: string, name = 'ls', input = '{}'): AssistantPart {
  return { type: 'tool_call', id, name, input, freeForm: false };
}

export function result(
  callId: string,
  content: string | ToolResultPart['content'] = 'done',
): ToolResultPart {
  const parts = typeof content === 'string' ? [text(content)] : content;
  return { type: 'tool_result', callId, content: parts, isError: false };
}

export function results(...parts: readonly ToolResultPart[]): NeutralMessage {
  return { role: 'tool', parts };
}

export function tool(name: string): NeutralTool {
  return { name, schema: { type: 'object', properties: {} } };
}

/** Applies a step to a request that it does not refuse. */
export function fitted(fit: Fit, request: NeutralRequest, profile: TargetProfile): FitStep {
  const step = fit(request, profile);
  if (isRefusal(step)) throw new Error(`refused: ${step.message}`);
  return step;
}

/** The refusal of a request. */
export function refusalOf(fit: Fit, request: NeutralRequest, profile: TargetProfile): Refusal {
  const step = fit(request, profile);
  if (!isRefusal(step)) throw new Error('not refused');
  return step;
}
