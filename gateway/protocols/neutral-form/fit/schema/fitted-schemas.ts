import type { JsonObject } from '../../../../platform/json/json-value.ts';
import type { SchemaRules } from '../../../target-profile.ts';
import type { FittedNames } from '../names/fitted-names.ts';
import { fitPropertyNames } from './fit-property-names.ts';
import { fitSchema } from './fit-schema.ts';
import { strictSizeOf, type StrictSize } from './strict-size.ts';
import { hasOptionalProperty, isOpen } from './strictness.ts';

/** A schema as a target takes it, and what decides whether it can be strict. */
export interface FittedSchema {
  readonly schema: JsonObject;
  readonly size: StrictSize;
  /** No object was closed that has to be open, and null is not written for what may be left out. */
  readonly isFaithful: boolean;
  /** The names of properties that the target refuses; undefined where it takes all. */
  readonly propertyNames?: FittedNames;
}

/**
 * Bytes of JSON text, given and fitted, that a thread remembers; as objects they take several times
 * as much.
 */
export const REMEMBERED_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes of an entry in addition to its schema. */
const ENTRY_BYTES = 256;

interface Entry {
  readonly fitted: FittedSchema;
  readonly isUnchanged: boolean;
  readonly bytes: number;
}

/**
 * Remembers fitted schemas by the text of what was sent: agents send the same tools with every
 * turn. A digest of the text would take as long as writing it. The least recently used are
 * forgotten first.
 */
export class FittedSchemas {
  readonly #entries = new Map<string, Entry>();
  /** Rules are constants; each gets a number for the keys. */
  readonly #rules = new WeakMap<SchemaRules, number>();
  readonly #bytesMax: number;
  #rulesCount = 0;
  #bytes = 0;

  constructor(bytesMax: number = REMEMBERED_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the very same schema where nothing has to change. */
  fit(schema: JsonObject, rules: SchemaRules): FittedSchema {
    const key = `${this.#numberOf(rules)} ${JSON.stringify(schema)}`;
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.isUnchanged ? { ...known.fitted, schema } : known.fitted;
    }
    const fitted = fittedSchema(schema, rules);
    this.#remember(key, fitted, fitted.schema === schema);
    return fitted;
  }

  get bytes(): number {
    return this.#bytes;
  }

  #numberOf(rules: SchemaRules): number {
    const known = this.#rules.get(rules);
    if (known !== undefined) return known;
    this.#rulesCount += 1;
    this.#rules.set(rules, this.#rulesCount);
    return this.#rulesCount;
  }

  #remember(key: string, fitted: FittedSchema, isUnchanged: boolean): void {
    // The client's own object is not kept.
    const kept = isUnchanged ? { ...fitted, schema: {} } : fitted;
    const bytes = ENTRY_BYTES + Buffer.byteLength(key + JSON.stringify(kept.schema));
    if (bytes > this.#bytesMax / 4) return;
    this.#entries.set(key, { fitted: kept, isUnchanged, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}

function fittedSchema(schema: JsonObject, rules: SchemaRules): FittedSchema {
  const { schema: fitted, names } = fitPropertyNames(fitSchema(schema, rules), rules.propertyName);
  const isFaithful =
    !(rules.closedObjects && isOpen(schema)) && !(rules.allRequired && hasOptionalProperty(schema));
  const size = strictSizeOf(fitted);
  return { schema: fitted, size, isFaithful, ...(names && { propertyNames: names }) };
}
