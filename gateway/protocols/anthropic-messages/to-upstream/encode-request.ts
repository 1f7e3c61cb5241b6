import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember } from '../../../platform/json/scan-members.ts';
import type { Encoded, Target } from '../../protocol.ts';
import { THINKING_TOKENS_MIN } from '../../anthropic-family/write-thinking.ts';
import type { MessagesRequest } from '../from-client/parse-request.ts';
import { encloseBytes } from './enclose.ts';
import { withoutForeignParts, withoutThinking } from './foreign-parts.ts';

/**
 * Returns the body for the upstream: the client's bytes except for what must differ, and the same
 * buffer when nothing does.
 */
export function encodeRequest(request: MessagesRequest, target: Target): Encoded {
  const { upstreamModel, omittedFields, outputTokensCap, envelope } = target;
  const enclosed = envelope && encloseBytes(request, envelope);
  const pricedField = target.tier === undefined ? undefined : request.tier?.field;
  const withheld = request.withheldFields.filter((name) => name !== pricedField);
  const omitted = new Set([...withheld, ...omittedFields, ...(enclosed?.leftOut ?? [])]);
  const edits: MemberEdit[] = enclosed?.edits.filter(({ name }) => !omitted.has(name)) ?? [];
  const isInPath = envelope?.membersInPath.includes('model') === true;
  if (upstreamModel !== request.model && !isInPath) {
    edits.push({ name: 'model', value: JSON.stringify(upstreamModel) });
  }
  if (outputTokensCap !== null) {
    edits.push({ name: 'max_tokens', value: String(outputTokensCap) });
    if (!omitted.has('thinking')) editThinking(request, outputTokensCap, edits);
  }
  if (target.withoutProofs === true && request.hasThinking) {
    edits.push({ name: 'messages', value: withoutThinking(request.bytes) });
  } else if (request.hasForeignParts) {
    edits.push({ name: 'messages', value: withoutForeignParts(request.bytes) });
  }
  const { bytes, members } = request;
  const removed = [...omitted].filter((name) => findMember(bytes, members, name) !== -1);
  for (const name of removed) edits.push({ name, value: undefined });
  return {
    body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
    // Fields that are withheld everywhere are reported separately.
    leftOut: [...removed.filter((name) => !withheld.includes(name)), ...(enclosed?.dropped ?? [])],
  };
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
