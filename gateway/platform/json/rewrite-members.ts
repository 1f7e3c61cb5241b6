import { findMember, type MemberSpans } from './scan-members.ts';

/** The change of a member: its new value as JSON text, or `undefined` to take the member out. */
export interface MemberEdit {
  /** Plain letters that need no escape in JSON. */
  readonly name: string;
  readonly value: string | undefined;
}

/** Bytes from `start` to `end` give way to `text`. */
interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The document with some members of its outermost object replaced, taken out or added, and every
 * other byte as it was. A 200 kB body costs one copy this way; rewriting it from the parsed
 * value costs more than parsing it did, and would change numbers that doubles cannot hold.
 *
 * A member that is not there is added when it has a value. At least one member must remain, and a
 * name may be edited once.
 *
 * @param allocate memory for the new document, of exactly so many bytes
 */
export function rewriteMembers(
  bytes: Buffer,
  members: MemberSpans,
  edits: readonly MemberEdit[],
  allocate: (bytes: number) => Buffer = (length) => Buffer.allocUnsafe(length),
): Buffer {
  const cuts: Cut[] = [];
  let removed: Set<number> | undefined;
  let added = '';
  for (const { name, value } of edits) {
    const member = findMember(bytes, members, name);
    if (member === -1) {
      if (value !== undefined) added += `"${name}":${value},`;
    } else if (value === undefined) {
      removed ??= new Set();
      removed.add(member);
    } else {
      cuts.push(replacement(bytes, members, { member, text: value }));
    }
  }
  if (removed !== undefined) cutMembers(members, removed, cuts);
  if (cuts.length > 1) cuts.sort((a, b) => a.start - b.start);
  // An empty object has no member to put others before.
  if (members.count === 0 && added !== '') return Buffer.from(`{${added.slice(0, -1)}}`);
  if (added !== '') {
    const first = keyQuote(members, 0);
    cuts.unshift({ start: first, end: first, text: added });
  }
  return cuts.length === 0 ? bytes : applyCuts(bytes, cuts, allocate);
}

/** White space around the value stays. */
function replacement(
  bytes: Buffer,
  members: MemberSpans,
  { member, text }: { readonly member: number; readonly text: string },
): Cut {
  let start = members.offsets[member * 4 + 2] ?? 0;
  let end = valueEnd(members, member);
  while (isWhiteSpace(bytes[start])) start += 1;
  while (end > start && isWhiteSpace(bytes[end - 1])) end -= 1;
  return { start, end, text };
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** A member leaves with the comma behind it; the last ones leave with the comma before them. */
function cutMembers(members: MemberSpans, removed: ReadonlySet<number>, cuts: Cut[]): void {
  let last = members.count - 1;
  while (removed.has(last)) last -= 1;
  if (last < 0) throw new RangeError('a rewritten document keeps at least one member');
  for (const member of removed) {
    if (member > last) continue;
    cuts.push({ start: keyQuote(members, member), end: keyQuote(members, member + 1), text: '' });
  }
  if (last < members.count - 1) {
    const end = valueEnd(members, members.count - 1);
    cuts.push({ start: valueEnd(members, last), end, text: '' });
  }
}

function applyCuts(
  bytes: Buffer,
  cuts: readonly Cut[],
  allocate: (bytes: number) => Buffer,
): Buffer {
  let length = bytes.length;
  for (const cut of cuts) length += Buffer.byteLength(cut.text) - (cut.end - cut.start);
  const out = allocate(length);
  let read = 0;
  let written = 0;
  for (const cut of cuts) {
    written += bytes.copy(out, written, read, cut.start);
    if (cut.text !== '') written += out.write(cut.text, written, 'utf8');
    read = cut.end;
  }
  bytes.copy(out, written, read);
  return out;
}

/** The offset of the quote before a member's key. */
function keyQuote(members: MemberSpans, member: number): number {
  return (members.offsets[member * 4] ?? 1) - 1;
}

function valueEnd(members: MemberSpans, member: number): number {
  return members.offsets[member * 4 + 3] ?? 0;
}
