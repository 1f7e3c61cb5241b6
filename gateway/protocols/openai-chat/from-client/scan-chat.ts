import { isUtf8 } from 'node:buffer';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { ReadObject } from '../../../platform/json/read-object.ts';
import {
  AsciiText,
  isPlainText,
  NO_MATCH,
  NULL,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  Skimmer,
  type ElementVisitor,
  type MemberVisitor,
} from '../../../platform/json/skimmer.ts';
import { MESSAGE_FIELDS, PART_FIELDS } from '../../openai-family/known-fields.ts';
import { TOOL_TYPES } from './check-chat.ts';
import { CallsSkim, FunctionsSkim, isKnown, ToolsSkim } from './scan-tools.ts';
import {
  BOUNDED_MEDIA_TYPES,
  DEVELOPER_ROLE,
  ROLES_WITH_OPTIONAL_CONTENT,
  ROLES_REQUIRING_CONTENT,
} from '../wire/check-messages.ts';

/**
 * Reads a large chat request without building its messages and tools, which is what most of its
 * bytes are and nothing that Weir keeps: 213 kB of an agent take a seventh of the time that
 * JSON.parse needs.
 *
 * Returns what `readObject` would, with stand-ins for messages and tools about which `checkChat`
 * finds the same; or undefined when anything is unusual or wrong: `readObject` reads it then, and
 * says what is wrong.
 *
 * @param depthMax levels of nesting that are allowed
 */
export function scanChat(bytes: Buffer, depthMax: number): ScannedChat | undefined {
  if (!isUtf8(bytes)) return undefined;
  const skimmer = new Skimmer(bytes);
  const start = skimmer.whiteSpace(0);
  if (bytes[start] !== OPEN_BRACE) return undefined;
  const body = new BodyScanner(skimmer, depthMax - 1);
  const end = skimmer.object(start, depthMax, body);
  if (end === NO_MATCH || skimmer.whiteSpace(end) !== bytes.length) return undefined;
  const { value, offsets, mediaBytes, strayFields } = body;
  const keys = Object.keys(value);
  const members = { offsets, count: keys.length, tooDeep: false };
  return { bytes, value, keys, members, mediaBytes, strayFields };
}

export interface ScannedChat extends ReadObject {
  /** Bytes of parts that are no text and show none; the stand-ins have forgotten them. */
  readonly mediaBytes: number;
  /** Messages and tools that contain unknown fields. */
  readonly strayFields: readonly string[];
}

/** A message of which nothing is to be said but its parts. */
const STAND_IN_ROLE = 'user';
/** Parts that are no text. */
const STAND_IN_PART = { type: BOUNDED_MEDIA_TYPES[0] };
const STAND_IN_BOUNDLESS_PART = { type: 'boundless' };
const STAND_IN_TOOL = { type: TOOL_TYPES[0], name: 'tool' };

const NO_STRAYS: readonly never[] = [];

class BodyScanner implements MemberVisitor {
  readonly value: OwnJsonObject = {};
  readonly offsets: number[] = [];
  mediaBytes = 0;
  strayFields: readonly string[] = NO_STRAYS;
  readonly #skimmer: Skimmer;
  readonly #levels: number;

  constructor(skimmer: Skimmer, levels: number) {
    this.#skimmer = skimmer;
    this.#levels = levels;
  }

  member(keyStart: number, keyEnd: number, at: number): number {
    const { bytes } = this.#skimmer;
    const key = bytes.toString('latin1', keyStart, keyEnd);
    // Twice the same, or one that would be no own property.
    if (key in this.value) return NO_MATCH;
    const end = bytes[at] === OPEN_BRACKET ? this.#array(key, at) : this.#whole(key, at);
    if (end !== NO_MATCH) this.offsets.push(keyStart, keyEnd, at, end);
    return end;
  }

  #array(key: string, at: number): number {
    switch (key) {
      case 'messages': {
        const messages = new MessagesSkim(this.#skimmer, this.#levels - 1);
        const end = this.#skimmer.array(at, this.#levels, messages);
        this.value[key] = messages.standIn();
        this.mediaBytes = messages.mediaBytes;
        if (messages.hasUnknownFields) this.strayFields = [...this.strayFields, key];
        return end;
      }
      case 'tools':
        return this.#tools(key, at, new ToolsSkim(this.#skimmer, this.#levels - 1));
      case 'functions':
        return this.#tools(key, at, new FunctionsSkim(this.#skimmer, this.#levels - 1));
      default:
        return this.#whole(key, at);
    }
  }

  #tools(key: string, at: number, tools: ToolsSkim | FunctionsSkim): number {
    const end = this.#skimmer.array(at, this.#levels, tools);
    this.value[key] = tools.any ? [STAND_IN_TOOL] : [];
    if (tools.hasUnknownFields) this.strayFields = [...this.strayFields, key];
    return end;
  }

  /** All else is small, and parsed. */
  #whole(key: string, at: number): number {
    const end = this.#skimmer.value(at, this.#levels);
    if (end === NO_MATCH) return NO_MATCH;
    try {
      this.value[key] = JSON.parse(this.#skimmer.bytes.toString('utf8', at, end));
    } catch {
      return NO_MATCH;
    }
    return end;
  }
}

interface Role {
  readonly quoted: AsciiText;
  readonly kind: 'speaking' | 'silent';
  readonly isDeveloper: boolean;
}

/** By their first letters, which all differ. */
const ROLES = new Map<number, Role>(
  [...ROLES_REQUIRING_CONTENT, ...ROLES_WITH_OPTIONAL_CONTENT].map((role) => [
    role.charCodeAt(0),
    {
      quoted: new AsciiText(JSON.stringify(role)),
      kind: ROLES_REQUIRING_CONTENT.includes(role) ? 'speaking' : 'silent',
      isDeveloper: role === DEVELOPER_ROLE,
    },
  ]),
);
const TYPE = new AsciiText('type');
const ROLE = new AsciiText('role');
const CONTENT = new AsciiText('content');
const TOOL_CALLS = new AsciiText('tool_calls');
const TOOL_CALL_ID = new AsciiText('tool_call_id');
const IMAGES = new AsciiText('images');

/** The messages, each of which must be as `checkMessages` would accept it. */
class MessagesSkim implements ElementVisitor, MemberVisitor {
  #hasUnknownFields = false;
  readonly #skimmer: Skimmer;
  readonly #levels: number;
  readonly #parts: PartsSkim;
  /** Images that a model has made, outside the content. */
  readonly #images: PartsSkim;
  readonly #calls: CallsSkim;
  #any = false;
  #hasDeveloper = false;
  #role: 'none' | 'speaking' | 'silent' = 'none';
  #content: 'none' | 'null' | 'given' = 'none';
  #hasCalls = false;
  #hasImages = false;

  /** @param levels of nesting allowed to a message */
  constructor(skimmer: Skimmer, levels: number) {
    this.#skimmer = skimmer;
    this.#levels = levels;
    this.#parts = new PartsSkim(skimmer, levels - 2);
    this.#images = new PartsSkim(skimmer, levels - 2);
    this.#calls = new CallsSkim(skimmer, levels - 2);
  }

  /** Messages about which `checkMessages` finds what it would find about these. */
  standIn(): readonly unknown[] {
    if (!this.#any) return [];
    const both = [this.#parts, this.#images];
    const isBoundless = both.some(({ boundless }) => boundless);
    const part = isBoundless ? STAND_IN_BOUNDLESS_PART : STAND_IN_PART;
    const media = both.reduce((sum, parts) => sum + parts.media, 0);
    const content = new Array<object>(media).fill(part);
    return [{ role: this.#hasDeveloper ? DEVELOPER_ROLE : STAND_IN_ROLE, content }];
  }

  get mediaBytes(): number {
    return this.#parts.mediaBytes + this.#images.mediaBytes;
  }

  get hasUnknownFields(): boolean {
    return this.#hasUnknownFields || this.#parts.hasUnknownFields;
  }

  element(at: number): number {
    if (this.#skimmer.bytes[at] !== OPEN_BRACE) return NO_MATCH;
    this.#any = true;
    this.#role = 'none';
    this.#content = 'none';
    this.#hasCalls = false;
    this.#hasImages = false;
    const end = this.#skimmer.object(at, this.#levels, this);
    return this.#isComplete() ? end : NO_MATCH;
  }

  #isComplete(): boolean {
    return this.#content === 'given' ? this.#role !== 'none' : this.#role === 'silent';
  }

  member(keyStart: number, keyEnd: number, at: number): number {
    const { bytes } = this.#skimmer;
    switch (keyEnd - keyStart) {
      case 4:
        if (this.#skimmer.isTextAt(keyStart, ROLE)) return this.#readRole(at);
        break;
      case 6:
        if (this.#skimmer.isTextAt(keyStart, IMAGES)) return this.#readImages(at);
        break;
      case 7:
        if (this.#skimmer.isTextAt(keyStart, CONTENT)) return this.#readContent(at);
        break;
      case 10:
        if (this.#skimmer.isTextAt(keyStart, TOOL_CALLS)) return this.#readCalls(at);
        break;
      case 12:
        if (this.#skimmer.isTextAt(keyStart, TOOL_CALL_ID)) {
          return this.#skimmer.value(at, this.#levels - 1);
        }
    }
    if (!isKnown(bytes, keyStart, keyEnd, MESSAGE_FIELDS)) this.#hasUnknownFields = true;
    return this.#skimmer.value(at, this.#levels - 1);
  }

  #readRole(at: number): number {
    if (this.#role !== 'none') return NO_MATCH;
    const { bytes } = this.#skimmer;
    const role = ROLES.get(bytes[at + 1] ?? 0);
    if (role === undefined || !this.#skimmer.isTextAt(at, role.quoted)) return NO_MATCH;
    this.#role = role.kind;
    if (role.isDeveloper) this.#hasDeveloper = true;
    return at + role.quoted.length;
  }

  #readContent(at: number): number {
    if (this.#content !== 'none') return NO_MATCH;
    const { bytes } = this.#skimmer;
    this.#content = 'given';
    if (bytes[at] === QUOTE) return this.#skimmer.string(at);
    if (bytes[at] === OPEN_BRACKET) {
      return this.#skimmer.array(at, this.#levels - 1, this.#parts);
    }
    if (!this.#skimmer.isTextAt(at, NULL)) return NO_MATCH;
    this.#content = 'null';
    return at + NULL.length;
  }

  #readImages(at: number): number {
    if (this.#hasImages) return NO_MATCH;
    this.#hasImages = true;
    const isList = this.#skimmer.bytes[at] === OPEN_BRACKET;
    return isList
      ? this.#skimmer.array(at, this.#levels - 1, this.#images)
      : this.#skimmer.value(at, this.#levels - 1);
  }

  #readCalls(at: number): number {
    if (this.#hasCalls) return NO_MATCH;
    this.#hasCalls = true;
    const { bytes } = this.#skimmer;
    if (bytes[at] === OPEN_BRACKET) {
      return this.#skimmer.array(at, this.#levels - 1, this.#calls);
    }
    return this.#skimmer.isTextAt(at, NULL) ? at + NULL.length : NO_MATCH;
  }
}

const TEXT = new AsciiText('text');
const TEXT_TYPE = new AsciiText('"text"');
const REFUSAL_TYPE = new AsciiText('"refusal"');
const QUOTED_BOUNDED_TYPES = BOUNDED_MEDIA_TYPES.map((type) => new AsciiText(JSON.stringify(type)));

const FILE = new AsciiText('file');
const FILE_ID = Buffer.from('file_id');
const ESCAPE = Buffer.from('\\u');

/** Reports whether an object may have a member `file_id`, however its name is written. */
function mayNameFile(object: Buffer): boolean {
  return object.includes(FILE_ID) || object.includes(ESCAPE);
}

/** The parts of a message's content. */
class PartsSkim implements ElementVisitor, MemberVisitor {
  /** Parts that are neither text nor a refusal, in all messages. */
  media = 0;
  /** One of them is of a kind that may be as long as any prompt. */
  boundless = false;
  hasUnknownFields = false;
  /** Bytes of those without a text: unknown kinds may be text by another name. */
  mediaBytes = 0;
  readonly #skimmer: Skimmer;
  readonly #levels: number;
  #type: 'none' | 'text' | 'refusal' | 'media' = 'none';
  #hasText = false;

  /** @param levels of nesting allowed to a part */
  constructor(skimmer: Skimmer, levels: number) {
    this.#skimmer = skimmer;
    this.#levels = levels;
  }

  element(at: number): number {
    if (this.#skimmer.bytes[at] !== OPEN_BRACE) return NO_MATCH;
    this.#type = 'none';
    this.#hasText = false;
    const end = this.#skimmer.object(at, this.#levels, this);
    return this.#isComplete(end - at) ? end : NO_MATCH;
  }

  #isComplete(partBytes: number): boolean {
    if (this.#type === 'media') {
      this.media += 1;
      if (!this.#hasText) this.mediaBytes += partBytes;
    }
    return this.#type === 'text' ? this.#hasText : this.#type !== 'none';
  }

  member(keyStart: number, keyEnd: number, at: number): number {
    const { bytes } = this.#skimmer;
    if (keyEnd - keyStart === 4) {
      if (this.#skimmer.isTextAt(keyStart, TYPE)) return this.#readType(at);
      if (this.#skimmer.isTextAt(keyStart, TEXT)) return this.#readText(at);
    }
    if (!isKnown(bytes, keyStart, keyEnd, PART_FIELDS)) this.hasUnknownFields = true;
    const end = this.#skimmer.value(at, this.#levels - 1);
    // A file is referenced by its id, which `checkMessages` looks at, or has its data here.
    const isFile = bytes[at] === OPEN_BRACE && this.#skimmer.isTextAt(keyStart, FILE);
    return isFile && mayNameFile(bytes.subarray(at, end)) ? NO_MATCH : end;
  }

  #readType(at: number): number {
    if (this.#type !== 'none') return NO_MATCH;
    const { bytes } = this.#skimmer;
    const end = this.#skimmer.string(at);
    if (this.#skimmer.isTextAt(at, TEXT_TYPE)) this.#type = 'text';
    else if (this.#skimmer.isTextAt(at, REFUSAL_TYPE)) this.#type = 'refusal';
    // One written with escapes could be one of the two.
    else if (!isPlainText(bytes, at, end)) return NO_MATCH;
    else {
      this.#type = 'media';
      this.boundless ||= !QUOTED_BOUNDED_TYPES.some((type) => this.#skimmer.isTextAt(at, type));
    }
    return end;
  }

  /**
   * A text that is no string is left to `checkMessages`: whether it matters depends on the type.
   */
  #readText(at: number): number {
    if (this.#hasText) return NO_MATCH;
    this.#hasText = true;
    return this.#skimmer.string(at);
  }
}
