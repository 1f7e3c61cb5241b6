import { parseOwnObject, stringOf } from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { AssistantPart, UrlCitation } from '../../neutral-form/request.ts';
import type { FailureFinder } from '../../protocol.ts';
import { fieldOf } from '../fields.ts';
import { endReason } from '../wire/end-reason.ts';
import { isGeminiReply, searchesIn } from './gemini-reply.ts';
import { candidatesOf, partsOf } from './parts.ts';
import { readGrounding, type GroundedText } from '../wire/grounding.ts';
import { readPart } from '../wire/read-parts.ts';
import { readUsage } from '../usage.ts';

/** An upstream's whole reply; undefined when it is none. Of several candidates the first. */
export function readReply(body: Buffer, findFailure: FailureFinder): NeutralReply | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(body));
  if (reply === undefined || !isGeminiReply(reply, findFailure)) return undefined;
  const [candidate = {}] = candidatesOf(reply);
  const ids = new Set<string>();
  const parts: AssistantPart[] = [];
  const texts: GroundedText[] = [];
  let from = 0;
  for (const [index, part] of partsOf(candidate).entries()) {
    const read = readPart(part, ids);
    if (read === undefined) continue;
    addPart(parts, read);
    if (read.type !== 'text') continue;
    texts.push({ index, from, text: read.text });
    from += read.text.length;
  }
  const end = endReason(stringOf(fieldOf(candidate, 'finishReason')), ids.size > 0);
  if (end === 'failed') return undefined;
  return {
    id: stringOf(fieldOf(reply, 'responseId')),
    parts: withCitations(parts, readGrounding(candidate, texts)),
    end,
    usage: readUsage(fieldOf(reply, 'usageMetadata'), searchesIn(reply)) ?? null,
  };
}

/** Gives each citation to the text that it is in. */
function withCitations(
  parts: readonly AssistantPart[],
  citations: readonly UrlCitation[],
): readonly AssistantPart[] {
  if (citations.length === 0) return parts;
  let from = 0;
  return parts.map((part) => {
    if (part.type !== 'text') return part;
    const end = from + part.text.length;
    const own = citations.filter(({ start }) => start >= from && start < end);
    from = end;
    return own.length === 0 ? part : { ...part, citations: own };
  });
}

/** Text that came in several parts is one, except for what is signed. */
function addPart(parts: AssistantPart[], part: AssistantPart): void {
  const last = parts.at(-1);
  const isText = part.type === 'text' || part.type === 'reasoning';
  if (isText && last?.type === part.type && last.proof === undefined && part.proof === undefined) {
    parts[parts.length - 1] = { ...last, text: last.text + part.text };
  } else parts.push(part);
}
