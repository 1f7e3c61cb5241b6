import type { OutputLimitField } from '@weir/shared/channels';
import { rewriteMembers, type MemberEdit } from '../../platform/json/rewrite-members.ts';
import { requestEdits } from '../openai-family/request-edits.ts';
import type { Target } from '../protocol.ts';
import type { ChatRequest } from './parse-request.ts';

/**
 * Returns the body for the upstream: the client's bytes but for what must differ, and the same
 * buffer when nothing does. Usage is asked for on every stream, whatever the client asked for.
 */
export function encodeRequest(request: ChatRequest, target: Target): Buffer {
  const edits = requestEdits(request, target);
  editOutputLimit(request, target, edits);
  return edits.length === 0
    ? request.bytes
    : rewriteMembers(request.bytes, request.members, edits, target.allocate);
}

function editOutputLimit(request: ChatRequest, target: Target, edits: MemberEdit[]): void {
  const { outputLimitFields: sent, maxOutputTokens: asked } = request;
  const imposed = target.outputTokensCap;
  // Most requests name no limit and get none.
  if (sent.length === 0 && imposed === null) return;
  const limit = imposed ?? asked;
  const newer = asked !== null && sent[0] === 'max_completion_tokens' ? sent[0] : undefined;
  const field = target.outputLimitField ?? newer ?? outputLimitFieldOf(target.upstreamModel);
  // OpenAI refuses a request with both names, even when they agree.
  for (const name of sent) if (name !== field) edits.push({ name, value: undefined });
  if (limit !== null && (imposed !== null || sent[0] !== field)) {
    edits.push({ name: field, value: String(limit) });
  }
}

/**
 * OpenAI's reasoning models (o1 and later, gpt-5 and later) refuse `max_tokens`; most other servers
 * know nothing else. "gpt-35-turbo" is what Azure calls gpt-3.5.
 */
export function outputLimitFieldOf(upstreamModel: string): OutputLimitField {
  const name = upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1);
  return /^(?:o\d|gpt-(?:[5-9]|(?!35)\d\d)|codex)/.test(name)
    ? 'max_completion_tokens'
    : 'max_tokens';
}
