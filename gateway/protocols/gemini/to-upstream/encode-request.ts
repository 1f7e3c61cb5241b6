import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember, scanMembers } from '../../../platform/json/scan-members.ts';
import type { Encoded, Target } from '../../protocol.ts';
import { fieldName } from '../fields.ts';
import type { GeminiRequest } from '../from-client/parse-request.ts';

/** Members of `generationConfig` nest no deeper than a whole body may. */
const CONFIG_DEPTH_MAX = 128;

/**
 * Returns the body for the upstream: the client's bytes except for what must differ, and the same
 * buffer when nothing does. The model is in the path.
 */
export function encodeRequest(request: GeminiRequest, target: Target): Encoded {
  const { bytes, members } = request;
  const edits: MemberEdit[] = [];
  const cap = target.outputTokensCap;
  if (cap !== null) edits.push(limitEdit(request, cap));
  for (const name of request.withheldFields) {
    const isPriced = target.tier !== undefined && name === request.tier?.field;
    if (!isPriced) edits.push({ name, value: undefined });
  }
  for (const name of target.omittedFields) {
    const { camel, snake } = fieldName(name);
    for (const sent of new Set([camel, snake])) {
      const isKept = edits.some((edit) => edit.name === sent);
      if (!isKept && findMember(bytes, members, sent) !== -1) {
        edits.push({ name: sent, value: undefined });
      }
    }
  }
  return {
    body: edits.length === 0 ? bytes : rewriteMembers(bytes, members, edits, target.allocate),
  };
}

/** The output limit is within `generationConfig`, of which all other bytes stay. */
function limitEdit({ bytes, members, configName }: GeminiRequest, cap: number): MemberEdit {
  const limit = String(cap);
  const { camel, snake } = fieldName('maxOutputTokens');
  if (configName === null) return { name: 'generationConfig', value: `{"${camel}":${limit}}` };
  const config = memberBytes(bytes, members.offsets, findMember(bytes, members, configName));
  const spans = scanMembers(config, CONFIG_DEPTH_MAX);
  // A config without members, or null.
  if (spans.count === 0) return { name: configName, value: `{"${camel}":${limit}}` };
  const name = findMember(config, spans, snake) === -1 ? camel : snake;
  const edited = rewriteMembers(config, spans, [{ name, value: limit }]);
  return { name: configName, value: edited.toString('utf8') };
}

function memberBytes(bytes: Buffer, offsets: readonly number[], member: number): Buffer {
  const start = offsets[member * 4 + 2] ?? 0;
  const end = offsets[member * 4 + 3] ?? 0;
  return Buffer.from(bytes.toString('utf8', start, end).trim());
}
