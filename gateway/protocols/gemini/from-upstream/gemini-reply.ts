import { applyEdits } from '../../../platform/json/apply-edits.ts';
import { parseOwnObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import { sentName } from '../fields.ts';
import { strip } from '../../fields/shape.ts';
import type { FailureFinder, Reply, ReplyTerms } from '../../protocol.ts';
import { readUsage, searchesOf, usageObject } from '../usage.ts';
import { knownFinishReason } from '../wire/end-reason.ts';
import { GEMINI_REPLY_FIELDS } from './known-fields.ts';
import { candidatesOf, partsOf, textOfPart } from './parts.ts';

/**
 * Reads a reply that is not streamed. Returns undefined when it is none: HTML, text, an error
 * object under status 200, a prompt that was blocked.
 */
export function readGeminiReply(
  received: Buffer,
  publicModel: string,
  findFailure: FailureFinder,
  terms?: ReplyTerms,
): Reply | undefined {
  const body = withoutByteOrderMark(received);
  const reply = parseOwnObject(body);
  if (reply === undefined || !isGeminiReply(reply, findFailure)) return undefined;
  const closed = terms?.fieldPolicy !== 'all' && strip(reply, GEMINI_REPLY_FIELDS);
  const edits = frameEdits(reply, publicModel);
  const changed = fixFinishReasons(reply) || closed;
  const usageName = sentName(reply, 'usageMetadata') ?? 'usageMetadata';
  return {
    bytes: applyEdits(body, reply, edits, changed),
    usage: readUsage(reply[usageName], searchesIn(reply)) ?? null,
    withUsage: (counts) => {
      const value = JSON.stringify(usageObject(counts));
      return applyEdits(body, reply, [...edits, { name: usageName, value }], changed);
    },
    deliveredText: () => candidatesOf(reply).flatMap(partsOf).map(textOfPart).join(''),
  };
}

/** Reports whether an object is a reply with content, and no error. */
export function isGeminiReply(reply: OwnJsonObject, findFailure: FailureFinder): boolean {
  const { error } = reply;
  if (error !== undefined && error !== null) return false;
  return candidatesOf(reply).length > 0 && findFailure(reply) === undefined;
}

export function searchesIn(reply: OwnJsonObject): number {
  const model = reply['modelVersion'];
  return candidatesOf(reply).reduce((sum, candidate) => sum + searchesOf(candidate, model), 0);
}

/** The edits that put the model's public name into a reply or chunk. */
export function frameEdits(reply: OwnJsonObject, publicModel: string): MemberEdit[] {
  const name = sentName(reply, 'modelVersion');
  if (name === undefined || reply[name] === publicModel) return [];
  return [{ name, value: JSON.stringify(publicModel) }];
}

/**
 * Brings finish reasons of other interfaces into Gemini's words. Returns whether there were any.
 */
export function fixFinishReasons(reply: OwnJsonObject): boolean {
  let changed = false;
  for (const candidate of candidatesOf(reply)) {
    const name = sentName(candidate, 'finishReason');
    const reason = name === undefined ? undefined : candidate[name];
    if (name === undefined || typeof reason !== 'string' || reason === '') continue;
    const known = knownFinishReason(reason);
    if (known === reason) continue;
    candidate[name] = known;
    changed = true;
  }
  return changed;
}
