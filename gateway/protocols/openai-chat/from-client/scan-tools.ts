import {
  AsciiText,
  CLOSE_BRACE,
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

const TYPE = new AsciiText('type');
const NAME = new AsciiText('name');
const FUNCTION = new AsciiText('function');
const CUSTOM = new AsciiText('custom');
/** The first bytes of most objects with a name. */
const BEGINNINGS = ['{"name":"', '{"name": "'].map((text) => new AsciiText(text));
/** A call of a function in compact JSON, as OpenAI writes it and most clients send it back. */
const CALL_ID = new AsciiText('{"id":"');
const CALL_NAME = new AsciiText(',"type":"function","function":{"name":"');
const CALL_FUNCTION_AT = ',"type":"function","function":'.length;
const QUOTED_TOOL_TYPES = TOOL_TYPES.map((type) => new AsciiText(JSON.stringify(type)));

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
      if (this.#skimmer.isTextAt(at, beginning) && this.#isName(at + beginning.length - 1)) {
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
    if (keyEnd - keyStart === NAME.length && this.#skimmer.isTextAt(keyStart, NAME)) {
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
    switch (keyEnd - keyStart) {
      case 4:
        if (this.#skimmer.isTextAt(keyStart, TYPE)) return this.#readType(at);
        // "Type" is the type to some upstreams.
        if (this.#skimmer.isWordInAnyCaseAt(keyStart, TYPE)) return NO_MATCH;
        if (this.#skimmer.isTextAt(keyStart, NAME)) this.#hasOwnName = isNameAt(bytes, at);
        break;
      case 6:
        if (!this.#skimmer.isTextAt(keyStart, CUSTOM)) break;
        return this.#readNamed(at);
      case 8:
        if (!this.#skimmer.isTextAt(keyStart, FUNCTION)) break;
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
      if (this.#skimmer.isTextAt(at, type)) return at + type.length;
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
    if (!this.#skimmer.isTextAt(at, CALL_ID)) return NO_MATCH;
    const idEnd = this.#skimmer.string(at + CALL_ID.length - 1);
    if (idEnd === NO_MATCH || !this.#skimmer.isTextAt(idEnd, CALL_NAME)) return NO_MATCH;
    const end = this.#skimmer.value(idEnd + CALL_FUNCTION_AT, this.#levels - 1);
    return end !== NO_MATCH && bytes[end] === CLOSE_BRACE ? end + 1 : NO_MATCH;
  }

  member(keyStart: number, keyEnd: number, at: number): number {
    const length = keyEnd - keyStart;
    const holdsName =
      (length === FUNCTION.length && this.#skimmer.isTextAt(keyStart, FUNCTION)) ||
      (length === CUSTOM.length && this.#skimmer.isTextAt(keyStart, CUSTOM));
    return holdsName ? this.#named.read(at) : this.#skimmer.value(at, this.#levels - 1);
  }
}
