import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember } from '../../../platform/json/scan-members.ts';
import type { Encoded, Target } from '../../protocol.ts';
import { sortBetas } from '../../messages-variant.ts';
import { VERSION_FIELD, type MessagesRequest } from '../from-client/parse-request.ts';
import { withoutForeignThinking, withoutThinking } from './foreign-thinking.ts';

/** The least that Anthropic takes as a budget of thinking. */
export const THINKING_TOKENS_MIN = 1_024;

/**
 * Returns the body for the upstream: the client's bytes but for what must differ, and the same
 * buffer when nothing does.
 */
export function encodeRequest(request: MessagesRequest, target: Target): Encoded {
  const { omittedFields, outputTokensCap } = target;
  const edits = modelEdits(request, target);
  const pricedField = target.tier === undefined ? undefined : request.tier?.field;
  const withheld = request.withheldFields.filter((name) => name !== pricedField);
  const omitted = new Set([...withheld, ...omittedFields]);
  if (outputTokensCap !== null) {
    edits.push({ name: 'max_tokens', value: String(outputTokensCap) });
    if (!omitted.has('thinking')) editThinking(request, outputTokensCap, edits);
  }
  if (target.withoutProofs === true && request.hasThinking) {
    edits.push({ name: 'messages', value: withoutThinking(request.bytes) });
  } else if (request.hasForeignThinking) {
    edits.push({ name: 'messages', value: withoutForeignThinking(request.bytes) });
  }
  for (const name of omitted) {
    const sent = findMember(request.bytes, request.members, name) !== -1;
    if (sent) edits.push({ name, value: undefined });
  }
  const { bytes, members } = request;
  return {
    body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
    ...withheldBetas(request, target),
  };
}

/** What names the model and the version. */
function modelEdits(
  { model, version: asked }: MessagesRequest,
  { upstreamModel, messagesVariant: variant }: Target,
): MemberEdit[] {
  const edits: MemberEdit[] = [];
  if (variant?.modelInPath === true) edits.push({ name: 'model', value: undefined });
  else if (upstreamModel !== model) {
    edits.push({ name: 'model', value: JSON.stringify(upstreamModel) });
  }
  if (variant !== undefined) {
    const version = variant.clientVersions.has(asked) ? asked : variant.version;
    edits.push({ name: VERSION_FIELD, value: JSON.stringify(version) });
  }
  return edits;
}

function withheldBetas(
  { beta }: MessagesRequest,
  { messagesVariant: variant }: Target,
): Pick<Encoded, 'leftOut'> {
  if (variant === undefined || beta === '') return {};
  return { leftOut: sortBetas(beta, variant).withheld.map((name) => `beta.${name}`) };
}

/** Anthropic refuses a budget of thinking that the limit does not leave room for. */
function editThinking({ thinking }: MessagesRequest, limit: number, edits: MemberEdit[]): void {
  const budget = thinking?.['budget_tokens'];
  if (typeof budget !== 'number' || budget < limit) return;
  const room = limit - 1;
  const value =
    room < THINKING_TOKENS_MIN ? undefined : JSON.stringify({ ...thinking, budget_tokens: room });
  edits.push({ name: 'thinking', value });
}
