import { withoutByteOrderMark } from '../../../platform/json/byte-order-mark.ts';
import { parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { AssistantPart } from '../../neutral-form/request.ts';
import type { FailureFinder } from '../../protocol.ts';
import { fieldOf } from '../fields.ts';
import { endReason } from '../wire/end-reason.ts';
import { isGeminiReply, searchesIn } from './gemini-reply.ts';
import { candidatesOf, partsOf } from './parts.ts';
import { readPart } from '../wire/read-parts.ts';
import { readUsage } from '../usage.ts';

/** An upstream's whole reply; undefined when it is none. Of several candidates the first. */
export function readReply(body: Buffer, findFailure: FailureFinder): NeutralReply | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(body));
  if (reply === undefined || !isGeminiReply(reply, findFailure)) return undefined;
  const [candidate = {}] = candidatesOf(reply);
  const ids = new Set<string>();
  const parts: AssistantPart[] = [];
  for (const part of partsOf(candidate)) {
    const read = readPart(part, ids);
    if (read !== undefined) addPart(parts, read);
  }
  const end = endReason(stringOf(fieldOf(candidate, 'finishReason')), ids.size > 0);
  if (end === 'failed') return undefined;
  return {
    id: stringOf(fieldOf(reply, 'responseId')),
    parts,
    end,
    usage: readUsage(fieldOf(reply, 'usageMetadata'), searchesIn(reply)) ?? null,
  };
}

/** Text that came in several parts is one, but for what is signed. */
function addPart(parts: AssistantPart[], part: AssistantPart): void {
  const last = parts.at(-1);
  const isText = part.type === 'text' || part.type === 'reasoning';
  if (isText && last?.type === part.type && last.proof === undefined && part.proof === undefined) {
    parts[parts.length - 1] = { ...last, text: last.text + part.text };
  } else parts.push(part);
}
