import type { MeterId } from '@weir/shared/prices/meters';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember, memberValue } from '../../../platform/json/scan-members.ts';
import { MemberFit } from '../../openai-family/fit-members.ts';
import { omittedBy } from '../../openai-family/request-edits.ts';
import type { Encoded, Target } from '../../protocol.ts';
import type { ResponsesRequest } from '../from-client/parse-request.ts';
import { CONVERSATION_FIELD, PREVIOUS_FIELD } from '../stored.ts';
import { isEncryptedReasoning } from '../wire/check-input.ts';
import { unsignedItems } from '../wire/signed-items.ts';
import { mayBeSent } from '../wire/tool-kinds.ts';

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * Returns the body for an upstream that speaks Responses: the client's bytes except for what must
 * differ, and the same buffer when nothing does.
 */
export function encodeRequest(request: ResponsesRequest, target: Target): Encoded {
  const { upstreamModel, omittedFields, outputTokensCap } = target;
  const edits: MemberEdit[] = [];
  if (upstreamModel !== request.model) {
    edits.push({ name: 'model', value: JSON.stringify(upstreamModel) });
  }
  // A compaction takes no limit.
  if (outputTokensCap !== null && !request.compacts) {
    edits.push({ name: 'max_output_tokens', value: String(outputTokensCap) });
  }
  const { reply, conversation } = target.stored ?? {};
  if (reply !== undefined) edits.push({ name: PREVIOUS_FIELD, value: JSON.stringify(reply) });
  if (conversation !== undefined) {
    edits.push({ name: CONVERSATION_FIELD, value: JSON.stringify(conversation) });
  }
  for (const name of request.withheldFields) {
    const isPriced = target.tier !== undefined && name === request.tier?.field;
    if (!isPriced) edits.push({ name, value: undefined });
  }
  for (const name of omittedFields) takeOut(request, name, edits);
  const leavesOut = target.withoutProofs === true && request.hasEncryptedReasoning;
  if (leavesOut || request.hasSignedItems) {
    editItems(request, { leavesOut, stored: target.stored?.items ?? NO_IDS }, edits);
  }
  if (request.hasHostedTools) leaveOutTools(request, target.pricedMeters ?? [], edits);
  const omitted = omittedBy(edits, target);
  const fit = new MemberFit(request, edits);
  if (!request.compacts) fit.fitResponses(target.profile);
  const { bytes, members } = request;
  return {
    body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
    leftOut: [...omitted, ...fit.leftOut],
  };
}

/** Items get the ids that their upstream knows; encrypted reasoning may have to be left out. */
function editItems(
  request: ResponsesRequest,
  { leavesOut, stored }: { readonly leavesOut: boolean; readonly stored: ReadonlySet<string> },
  edits: MemberEdit[],
): void {
  const input = memberValue(request, 'input');
  if (!Array.isArray(input)) return;
  const kept = input.filter(
    (item) => !(leavesOut && isJsonObject(item) && isEncryptedReasoning(item)),
  );
  edits.push({ name: 'input', value: JSON.stringify(unsignedItems(kept, stored)) });
}

function takeOut({ bytes, members }: ResponsesRequest, name: string, edits: MemberEdit[]): void {
  if (edits.some((edit) => edit.name === name)) return;
  if (findMember(bytes, members, name) !== -1) edits.push({ name, value: undefined });
}

/** Leaves out the tools that the upstream would run at a fee for which the model has no price. */
function leaveOutTools(
  request: ResponsesRequest,
  pricedMeters: readonly MeterId[],
  edits: MemberEdit[],
): void {
  const isSent = (tool: unknown): boolean => isJsonObject(tool) && mayBeSent(tool, pricedMeters);
  const tools = memberValue(request, 'tools');
  if (!Array.isArray(tools)) return;
  const sent = tools.filter(isSent);
  if (sent.length === tools.length) return;
  edits.push({ name: 'tools', value: sent.length === 0 ? undefined : JSON.stringify(sent) });
  const choice = memberValue(request, 'tool_choice');
  // A choice among no tools is refused.
  if (sent.length === 0) takeOut(request, 'tool_choice', edits);
  else if (isJsonObject(choice) && Array.isArray(choice['tools'])) {
    edits.push({ name: 'tool_choice', value: allowedAmong(choice, pricedMeters) });
  }
}

/** An `allowed_tools` choice without those that are left out; undefined when none remains. */
function allowedAmong(choice: JsonObject, pricedMeters: readonly MeterId[]): string | undefined {
  const allowed: unknown = choice['tools'];
  const tools = (Array.isArray(allowed) ? allowed : []).filter(
    (tool) => isJsonObject(tool) && mayBeSent(tool, pricedMeters),
  );
  return tools.length === 0 ? undefined : JSON.stringify({ ...choice, tools });
}
