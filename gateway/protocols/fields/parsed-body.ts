import {
  parseOwnObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../platform/json/json-value.ts';

/**
 * A body that was parsed to be checked, kept for the translation that may follow: parsing costs
 * more than everything else that is done with a large body. A request lives as long as its stream,
 * so the value is dropped as soon as it has been read or is known not to be needed.
 */
export class ParsedBody {
  #value: OwnJsonObject | undefined;

  constructor(value: OwnJsonObject) {
    this.#value = value;
  }

  /** Returns the value, once: its reader keeps parts of it. */
  take(): OwnJsonObject | undefined {
    const value = this.#value;
    this.#value = undefined;
    return value;
  }

  drop(): void {
    this.#value = undefined;
  }
}

/** Returns a request's body as an object, parsed unless it still is; undefined if it is none. */
export function bodyOf(request: {
  readonly bytes: Buffer;
  readonly parsed?: ParsedBody | undefined;
}): JsonObject | undefined {
  return request.parsed?.take() ?? parseOwnObject(request.bytes);
}
