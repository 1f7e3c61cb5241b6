import { findMember, type MemberSpans } from '../../../platform/json/scan-members.ts';

/**
 * Returns the JSON of a frame's input items with commas between them, '' for none; undefined for an
 * input that is neither a list nor a text, which the request path refuses.
 */
export function inputItems(bytes: Buffer, members: MemberSpans): string | undefined {
  const member = findMember(bytes, members, 'input');
  if (member === -1) return '';
  const start = members.offsets[member * 4 + 2] ?? 0;
  const end = members.offsets[member * 4 + 3] ?? 0;
  const input = bytes.toString('utf8', start, end).trim();
  if (input.startsWith('[') && input.endsWith(']')) return input.slice(1, -1).trim();
  if (input.startsWith('"')) return `{"type":"message","role":"user","content":${input}}`;
  return undefined;
}
