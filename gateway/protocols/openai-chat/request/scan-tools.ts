import {
  ascii,
  isPlainKey,
  isTextAt,
  isTextInAnyCaseAt,
  NOT_EXPECTED,
  OPEN_BRACE,
  type ElementVisitor,
  type MemberVisitor,
  type Skimmer,
} from '../../../platform/json/skimmer.ts';
import type { Shapes } from '../../fields/shape.ts';
import { TOOL_FIELDS } from '../../openai-family/known-fields.ts';
import { TOOL_TYPES } from './check-chat.ts';

const TYPE = ascii('type');
const FUNCTION = ascii('function');
const QUOTED_TOOL_TYPES = TOOL_TYPES.map((type) => ascii(JSON.stringify(type)));

/** Whether a member is known; of names that are looked at apart nobody asks here. */
export function isKnown(bytes: Buffer, keyStart: number, keyEnd: number, known: Shapes): boolean {
  return known.has(bytes.toString('latin1', keyStart, keyEnd));
}

/** Tools, each of which must be as `checkChat` would accept it. */
export class ToolsSkim implements ElementVisitor, MemberVisitor {
  any = false;
  hasStrays = false;
  readonly #skimmer: Skimmer;
  readonly #levels: number;
  #hasType = false;
  #hasFunction = false;

  /** @param levels of nesting allowed to a tool */
  constructor(skimmer: Skimmer, levels: number) {
    this.#skimmer = skimmer;
    this.#levels = levels;
  }

  element(at: number): number {
    if (this.#skimmer.bytes[at] !== OPEN_BRACE) return NOT_EXPECTED;
    this.any = true;
    this.#hasType = false;
    this.#hasFunction = false;
    const end = this.#skimmer.object(at, this.#levels, this);
    return this.#isComplete() ? end : NOT_EXPECTED;
  }

  #isComplete(): boolean {
    return this.#hasType || this.#hasFunction;
  }

  member(keyStart: number, keyEnd: number, at: number): number {
    const { bytes } = this.#skimmer;
    if (!isPlainKey(bytes, keyStart, keyEnd)) return NOT_EXPECTED;
    switch (keyEnd - keyStart) {
      case 4:
        if (isTextAt(bytes, keyStart, TYPE)) return this.#readType(at);
        // "Type" is the type to some upstreams.
        if (isTextInAnyCaseAt(bytes, keyStart, TYPE)) return NOT_EXPECTED;
        break;
      case 8:
        if (!isTextAt(bytes, keyStart, FUNCTION)) break;
        if (this.#hasFunction || bytes[at] !== OPEN_BRACE) return NOT_EXPECTED;
        this.#hasFunction = true;
        return this.#skimmer.value(at, this.#levels - 1);
    }
    if (!isKnown(bytes, keyStart, keyEnd, TOOL_FIELDS)) this.hasStrays = true;
    return this.#skimmer.value(at, this.#levels - 1);
  }

  #readType(at: number): number {
    if (this.#hasType) return NOT_EXPECTED;
    this.#hasType = true;
    for (const type of QUOTED_TOOL_TYPES) {
      if (isTextAt(this.#skimmer.bytes, at, type)) return at + type.length;
    }
    return NOT_EXPECTED;
  }
}

/** An array of objects of which nothing else matters: functions, calls of tools. */
export class ObjectsSkim implements ElementVisitor {
  any = false;
  readonly hasStrays = false;
  readonly #skimmer: Skimmer;
  readonly #levels: number;

  constructor(skimmer: Skimmer, levels: number) {
    this.#skimmer = skimmer;
    this.#levels = levels;
  }

  element(at: number): number {
    if (this.#skimmer.bytes[at] !== OPEN_BRACE) return NOT_EXPECTED;
    this.any = true;
    return this.#skimmer.value(at, this.#levels);
  }
}
