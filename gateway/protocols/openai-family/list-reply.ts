import { isJson } from '../../platform/json/is-json.ts';
import { parseOwnObject, type OwnJsonObject } from '../../platform/json/json-value.ts';
import { findMember, scanMembers, type MemberSpans } from '../../platform/json/scan-members.ts';
import type { Shapes } from '../fields/shape.ts';

/** Levels of a reply: its object, the list, an element, its value; and a few that are not used. */
const DEPTH_MAX = 16;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;

/**
 * A whole reply that is an object with a list, such as embeddings or images. The list is nearly all
 * of its bytes, and is not parsed.
 */
export class ListReply {
  readonly body: Buffer;
  readonly members: MemberSpans;
  /** The bytes of the list. */
  readonly list: Buffer;

  private constructor(body: Buffer, members: MemberSpans, list: Buffer) {
    this.body = body;
    this.members = members;
    this.list = list;
  }

  /** Returns undefined if it has no such list, has an error, or was cut off. */
  static read(body: Buffer, listName: string): ListReply | undefined {
    const members = scanMembers(body, DEPTH_MAX);
    // Nothing else reads the bytes before the object: members are found after anything.
    if (firstByte(body) !== OPEN_BRACE || members.tooDeep || members.count === 0) return undefined;
    const error = valueOf(body, members, 'error')?.toString('utf8').trim() ?? 'null';
    const list = valueOf(body, members, listName);
    let end = body.length - 1;
    while (end > 0 && (body[end] ?? 0) <= 0x20) end -= 1;
    if (error !== 'null' || body[end] !== CLOSE_BRACE) return undefined;
    if (list === undefined || firstByte(list) !== OPEN_BRACKET) return undefined;
    // The scan finds members in anything, and a client would get bytes that are no JSON.
    return isJson(body) ? new ListReply(body, members, list) : undefined;
  }

  /** Returns a member that is an object. */
  objectAt(name: string): OwnJsonObject | undefined {
    const value = valueOf(this.body, this.members, name);
    return value === undefined ? undefined : parseOwnObject(value);
  }

  /** Returns a member that is a string. */
  textAt(name: string): string | undefined {
    const value: unknown = JSON.parse(
      valueOf(this.body, this.members, name)?.toString('utf8') ?? 'null',
    );
    return typeof value === 'string' ? value : undefined;
  }

  /** The names of members that are not known, as they are written. */
  unknownNames(known: Shapes): string[] {
    const { offsets, count } = this.members;
    const names = new Set<string>();
    for (let member = 0; member < count; member += 1) {
      const written = this.body.toString('latin1', offsets[member * 4], offsets[member * 4 + 1]);
      // One that is written with escapes is not known either, whatever it says.
      if (!known.has(written)) names.add(written);
    }
    return [...names];
  }
}

function valueOf(body: Buffer, members: MemberSpans, name: string): Buffer | undefined {
  const member = findMember(body, members, name);
  if (member === -1) return undefined;
  const { offsets } = members;
  return body.subarray(offsets[member * 4 + 2], offsets[member * 4 + 3]);
}

function firstByte(value: Buffer): number | undefined {
  return value.find((byte) => byte > 0x20);
}
