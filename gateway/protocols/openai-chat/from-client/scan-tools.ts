import {
  ascii,
  CLOSE_BRACE,
  isPlainKey,
  isTextAt,
  isTextInAnyCaseAt,
  NO_MATCH,
  OPEN_BRACE,
  QUOTE,
  type ElementVisitor,
  type MemberVisitor,
  type Skimmer,
} from '../../../platform/json/skimmer.ts';
import type { Shapes } from '../../fields/shape.ts';
import { TOOL_FIELDS } from '../../openai-family/known-fields.ts';
import { TOOL_TYPES } from './check-chat.ts';

const TYPE = ascii('type');
const NAME = ascii('name');
const FUNCTION = ascii('function');
const CUSTOM = ascii('custom');
/** The first bytes of most objects with a name. */
const BEGINNINGS = ['{"name":"', '{"name": "'].map(ascii);
/** A call of a function in compact JSON, as OpenAI writes it and most clients send it back. */
const CALL_ID = ascii('{"id":"');
const CALL_NAME = ascii(',"type":"function","function":{"name":"');
const CALL_FUNCTION_AT = ',"type":"function","function":'.length;
const QUOTED_TOOL_TYPES = TOOL_TYPES.map((type) => ascii(JSON.stringify(type)));

/** Reports whether a member is known. Names that are handled separately never get here. */
export function isKnown(bytes: Buffer, keyStart: number, keyEnd: number, known: Shapes): boolean {
  return known.has(bytes.toString('latin1', keyStart, keyEnd));
}

/** An object with a name, of which nothing else matters. */
class NamedSkim implements MemberVisitor {
  readonly #skimmer: Skimmer;
  readonly #levels: number;
  readonly #mayBeEmpty: boolean;
  #hasName = false;

  /** @param levels of nesting allowed to the object */
  constructor(skimmer: Skimmer, levels: number, mayBeEmpty = false) {
    this.#skimmer = skimmer;
    this.#levels = levels;
    this.#mayBeEmpty = mayBeEmpty;
  }

  /** Returns the offset behind the object, or NO_MATCH where it has no name. */
  read(at: number): number {
    const { bytes } = this.#skimmer;
    if (bytes[at] !== OPEN_BRACE) return NO_MATCH;
    for (const beginning of BEGINNINGS) {
      // The rest, with the schema of a tool, is walked at once.
      if (isTextAt(bytes, at, beginning) && this.#isName(at + beginning.length - 1)) {
        return this.#skimmer.value(at, this.#levels);
      }
    }
    this.#hasName = false;
    const end = this.#skimmer.object(at, this.#levels, this);
    return this.#isNamed() ? end : NO_MATCH;
  }

  #isNamed(): boolean {
    return this.#hasName;
  }

  member(keyStart: number, keyEnd: number, at: number): number {
    const { bytes } = this.#skimmer;
    if (!isPlainKey(bytes, keyStart, keyEnd)) return NO_MATCH;
    if (keyEnd - keyStart === NAME.length && isTextAt(bytes, keyStart, NAME)) {
      if (this.#hasName || !this.#isName(at)) return NO_MATCH;
      this.#hasName = true;
    }
    return this.#skimmer.value(at, this.#levels - 1);
  }

  #isName(at: number): boolean {
    const { bytes } = this.#skimmer;
    return this.#mayBeEmpty ? bytes[at] === QUOTE : isNameAt(bytes, at);
  }
}

function isNameAt(bytes: Buffer, at: number): boolean {
  return bytes[at] === QUOTE && bytes[at + 1] !== QUOTE;
}

/** Tools, each of which must be as `checkChat` would accept it. */
export class ToolsSkim implements ElementVisitor, MemberVisitor {
  any = false;
  hasUnknownFields = false;
  readonly #skimmer: Skimmer;
  readonly #levels: number;
  readonly #named: NamedSkim;
  #hasType = false;
  #hasFunction = false;
  /** In the object of its type. */
  #hasName = false;
  /** Next to its type. */
  #hasOwnName = false;

  /** @param levels of nesting allowed to a tool */
  constructor(skimmer: Skimmer, levels: number) {
    this.#skimmer = skimmer;
    this.#levels = levels;
    this.#named = new NamedSkim(skimmer, levels - 1);
  }

  element(at: number): number {
    if (this.#skimmer.bytes[at] !== OPEN_BRACE) return NO_MATCH;
    this.any = true;
    this.#hasType = false;
    this.#hasFunction = false;
    this.#hasName = false;
    this.#hasOwnName = false;
    const end = this.#skimmer.object(at, this.#levels, this);
    return this.#isComplete() ? end : NO_MATCH;
  }

  #isComplete(): boolean {
    if (!this.#hasName && !this.#hasOwnName) return false;
    return this.#hasType || this.#hasFunction;
  }

  member(keyStart: number, keyEnd: number, at: number): number {
    const { bytes } = this.#skimmer;
    if (!isPlainKey(bytes, keyStart, keyEnd)) return NO_MATCH;
    switch (keyEnd - keyStart) {
      case 4:
        if (isTextAt(bytes, keyStart, TYPE)) return this.#readType(at);
        // "Type" is the type to some upstreams.
        if (isTextInAnyCaseAt(bytes, keyStart, TYPE)) return NO_MATCH;
        if (isTextAt(bytes, keyStart, NAME)) this.#hasOwnName = isNameAt(bytes, at);
        break;
      case 6:
        if (!isTextAt(bytes, keyStart, CUSTOM)) break;
        return this.#readNamed(at);
      case 8:
        if (!isTextAt(bytes, keyStart, FUNCTION)) break;
        this.#hasFunction = true;
        return this.#readNamed(at);
    }
    if (!isKnown(bytes, keyStart, keyEnd, TOOL_FIELDS)) this.hasUnknownFields = true;
    return this.#skimmer.value(at, this.#levels - 1);
  }

  #readNamed(at: number): number {
    if (this.#hasName) return NO_MATCH;
    this.#hasName = true;
    return this.#named.read(at);
  }

  #readType(at: number): number {
    if (this.#hasType) return NO_MATCH;
    this.#hasType = true;
    for (const type of QUOTED_TOOL_TYPES) {
      if (isTextAt(this.#skimmer.bytes, at, type)) return at + type.length;
    }
    return NO_MATCH;
  }
}

/** Functions, the form that tools had before. */
export class FunctionsSkim implements ElementVisitor {
  any = false;
  readonly hasUnknownFields = false;
  readonly #named: NamedSkim;

  /** @param levels of nesting allowed to a function */
  constructor(skimmer: Skimmer, levels: number) {
    this.#named = new NamedSkim(skimmer, levels);
  }

  element(at: number): number {
    this.any = true;
    return this.#named.read(at);
  }
}

/** Calls of tools, each of which must be as `checkMessages` would accept it. */
export class CallsSkim implements ElementVisitor, MemberVisitor {
  readonly #skimmer: Skimmer;
  readonly #levels: number;
  readonly #named: NamedSkim;

  /** @param levels of nesting allowed to a call */
  constructor(skimmer: Skimmer, levels: number) {
    this.#skimmer = skimmer;
    this.#levels = levels;
    this.#named = new NamedSkim(skimmer, levels - 1, true);
  }

  element(at: number): number {
    if (this.#skimmer.bytes[at] !== OPEN_BRACE) return NO_MATCH;
    const end = this.#compact(at);
    return end === NO_MATCH ? this.#skimmer.object(at, this.#levels, this) : end;
  }

  /** Walks a compact call in two steps; NO_MATCH where the call is written otherwise. */
  #compact(at: number): number {
    const { bytes } = this.#skimmer;
    if (!isTextAt(bytes, at, CALL_ID)) return NO_MATCH;
    const idEnd = this.#skimmer.string(at + CALL_ID.length - 1);
    if (idEnd === NO_MATCH || !isTextAt(bytes, idEnd, CALL_NAME)) return NO_MATCH;
    const end = this.#skimmer.value(idEnd + CALL_FUNCTION_AT, this.#levels - 1);
    return end !== NO_MATCH && bytes[end] === CLOSE_BRACE ? end + 1 : NO_MATCH;
  }

  member(keyStart: number, keyEnd: number, at: number): number {
    const { bytes } = this.#skimmer;
    if (!isPlainKey(bytes, keyStart, keyEnd)) return NO_MATCH;
    const length = keyEnd - keyStart;
    const holdsName =
      (length === FUNCTION.length && isTextAt(bytes, keyStart, FUNCTION)) ||
      (length === CUSTOM.length && isTextAt(bytes, keyStart, CUSTOM));
    return holdsName ? this.#named.read(at) : this.#skimmer.value(at, this.#levels - 1);
  }
}
