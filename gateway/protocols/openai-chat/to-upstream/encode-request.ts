import { isJsonObject } from '../../../platform/json/json-value.ts';
import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { memberValue } from '../../../platform/json/scan-members.ts';
import { MemberFit } from '../../openai-family/fit-members.ts';
import { omittedBy, requestEdits } from '../../openai-family/request-edits.ts';
import type { Encoded, Target } from '../../protocol.ts';
import type { ChatRequest } from '../from-client/parse-request.ts';
import { DEVELOPER_ROLE } from '../wire/check-messages.ts';

/**
 * Returns the body for the upstream: the client's bytes except for what must differ, and the same
 * buffer when nothing does. Usage is asked for on every stream, whatever the client asked for.
 */
export function encodeRequest(request: ChatRequest, target: Target): Encoded {
  const edits = requestEdits(request, target);
  editOutputLimit(request, target, edits);
  const omitted = omittedBy(edits, target);
  const fit = new MemberFit(request, edits);
  fit.fitChat(target.profile, request.hasTools);
  if (request.hasDeveloper && !target.profile.developerRole) {
    edits.push({ name: 'messages', value: withSystemRole(memberValue(request, 'messages')) });
  }
  const { bytes, members } = request;
  return {
    body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
    leftOut: [...omitted, ...fit.leftOut],
  };
}

function editOutputLimit(request: ChatRequest, target: Target, edits: MemberEdit[]): void {
  const { outputLimitFields: sent, maxOutputTokens: asked } = request;
  const imposed = target.outputTokensCap;
  // Most requests name no limit and get none.
  if (sent.length === 0 && imposed === null) return;
  const limit = imposed ?? asked;
  const newer = asked !== null && sent[0] === 'max_completion_tokens' ? sent[0] : undefined;
  const field = target.outputLimitField ?? target.profile.outputLimitField ?? newer ?? 'max_tokens';
  // OpenAI refuses a request with both names, even when they agree.
  for (const name of sent) if (name !== field) edits.push({ name, value: undefined });
  if (limit !== null && (imposed !== null || sent[0] !== field)) {
    edits.push({ name: field, value: String(limit) });
  }
}

/** Messages in which the role that OpenAI alone knows is the one that all know. */
function withSystemRole(messages: unknown): string {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return JSON.stringify(
    list.map((message) =>
      isJsonObject(message) && message['role'] === DEVELOPER_ROLE
        ? { ...message, role: 'system' }
        : message,
    ),
  );
}
