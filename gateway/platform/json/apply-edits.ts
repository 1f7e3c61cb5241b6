import type { OwnJsonObject } from './json-value.ts';
import { rewriteMembers, type MemberEdit } from './rewrite-members.ts';
import { scanMembers } from './scan-members.ts';

/** Nesting in an upstream's reply beyond this is rewritten instead of spliced. */
const SPLICE_DEPTH_MAX = 64;

/**
 * A document after edits of its outermost members: the same buffer when nothing changed, spliced
 * when only the edits did, and rewritten from its value when that was changed further in.
 * @param value what the bytes parse to; the edits are made in it when it has to be rewritten.
 */
export function applyEdits(
  bytes: Buffer,
  value: OwnJsonObject,
  edits: readonly MemberEdit[],
  valueChanged: boolean,
): Buffer {
  if (!valueChanged) {
    if (edits.length === 0) return bytes;
    const members = scanMembers(bytes, SPLICE_DEPTH_MAX);
    if (!members.tooDeep) return rewriteMembers(bytes, members, edits);
  }
  for (const { name, value: text } of edits) {
    if (text === undefined) Reflect.deleteProperty(value, name);
    else value[name] = JSON.parse(text) as unknown;
  }
  return Buffer.from(JSON.stringify(value));
}
