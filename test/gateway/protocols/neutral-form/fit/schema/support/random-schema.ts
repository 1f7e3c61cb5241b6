type Json = Record<string, unknown>;

/** Numbers below 1 from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Names that are keywords as well, and one that is special to JavaScript. */
const NAMES = ['a', 'b', 'c', 'const', 'format', 'type', '$ref', 'default', '__proto__', 'x y'];

/**
 * Random schemas of the current draft, as generators of MCP servers write them. `isHostile` adds
 * what earlier drafts and mistakes write, of which no validator can say what it accepts.
 */
export class RandomSchema {
  readonly random: () => number;
  readonly #isHostile: boolean;
  #definitions: string[] = [];

  constructor(seed: number, isHostile: boolean) {
    this.random = randomOf(seed);
    this.#isHostile = isHostile;
  }

  root(): Json {
    this.#definitions = this.#chance(0.5) ? ['One', 'Two', 'a/b~c'] : [];
    const root: Json = { ...this.#object(3) };
    if (this.#chance(0.3)) root['allOf'] = [this.#object(1)];
    if (this.#chance(0.2) && this.#isHostile) {
      root[this.pick(['anyOf', 'oneOf'])] = [this.#object(1), this.#object(1), { required: ['a'] }];
    }
    if (this.#chance(0.1) && this.#isHostile)
      root['type'] = this.pick([undefined, 'OBJECT', ['object', 'null']]);
    if (this.#definitions.length > 0) {
      const keyword = this.#isHostile && this.#chance(0.3) ? 'definitions' : '$defs';
      // A validator does not end at definitions that are nothing but a reference to themselves.
      const definition = (): Json => (this.#isHostile ? this.schema(2) : this.#object(2));
      root[keyword] = Object.fromEntries(this.#definitions.map((name) => [name, definition()]));
      if (this.#chance(0.1)) root['$ref'] = `#/${keyword}/One`;
    }
    return JSON.parse(JSON.stringify(root)) as Json;
  }

  schema(depth: number): Json {
    const schema = this.#plain(depth);
    if (this.#chance(0.3)) schema['description'] = 'Words.';
    if (this.#chance(0.1)) schema['title'] = 'Title';
    if (this.#chance(0.1)) schema['default'] = { type: 'string', $ref: 'data' };
    if (this.#chance(0.05)) schema['not'] = { const: 'never' };
    if (this.#isHostile && this.#chance(0.1)) Object.assign(schema, this.#mistake());
    return schema;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[Math.floor(this.random() * values.length)];
    return value as Value;
  }

  #chance(share: number): boolean {
    return this.random() < share;
  }

  #plain(depth: number): Json {
    if (this.#definitions.length > 0 && this.#chance(0.15)) return this.#reference();
    const kind = Math.floor(this.random() * (depth > 0 ? 11 : 6));
    switch (kind) {
      case 0:
        return this.#string();
      case 1:
        return {
          type: this.pick(['integer', 'number']),
          ...this.#some({ minimum: -1, maximum: 5, exclusiveMinimum: -2, multipleOf: 1 }),
        };
      case 2:
        return this.pick<Json>([{ type: 'boolean' }, { type: 'null' }, {}]);
      case 3:
        return { type: ['string', 'null'], ...this.#some({ minLength: 1, enum: ['s', null] }) };
      case 4:
        return this.pick<Json>([
          { enum: ['s', 't'] },
          { enum: [1, 's', null] },
          { const: 's' },
          { type: 'integer', enum: [1, 2] },
        ]);
      case 5:
        return { type: ['integer', 'string'], ...this.#some({ minimum: 0, maxLength: 3 }) };
      case 6:
        return {
          type: 'array',
          items: this.schema(depth - 1),
          ...this.#some({ minItems: 2, maxItems: 3, uniqueItems: true }),
        };
      case 7:
        return {
          type: 'array',
          prefixItems: [this.schema(depth - 1), this.schema(0)],
          maxItems: 2,
        };
      case 8:
        return {
          [this.pick(['anyOf', 'oneOf'])]: [this.schema(depth - 1), this.schema(depth - 1)],
          ...this.#some({ type: ['object', 'string', 'null'] }),
        };
      case 9:
        return { allOf: [this.schema(depth - 1), this.schema(0)] };
      default:
        return this.#object(depth - 1);
    }
  }

  #string(): Json {
    return {
      type: 'string',
      ...this.#some({ minLength: 1, maxLength: 4, pattern: this.pick(['^[a-z]*$', '(?=s)']) }),
      ...this.#some({ format: this.pick(['date-time', 'uri', 'email', 'made-up']) }),
    };
  }

  #reference(): Json {
    const name = this.pick(this.#definitions).replaceAll('~', '~0').replaceAll('/', '~1');
    const isOdd = this.#isHostile && this.#chance(0.3);
    const odd = this.pick(['#/properties/a', '#/nowhere', 'https://example.com/x', '#']);
    return { $ref: isOdd ? odd : `#/$defs/${name}`, ...this.#some({ description: 'Of the use.' }) };
  }

  #object(depth: number): Json {
    const names = NAMES.filter(() => this.#chance(0.35));
    const properties = Object.fromEntries(names.map((name) => [name, this.schema(depth)]));
    return {
      type: 'object',
      properties,
      ...this.#some({
        required: [
          ...names.filter(() => this.#chance(0.5)),
          ...(this.#isHostile && this.#chance(0.1) ? ['lost'] : []),
        ],
        additionalProperties: this.pick<unknown>([false, true, { type: 'string' }]),
        minProperties: 1,
      }),
      ...(this.#chance(0.1) ? { patternProperties: { '^x': { type: 'number' } } } : {}),
      ...(this.#chance(0.1) ? { propertyNames: { maxLength: 20 } } : {}),
    };
  }

  #mistake(): Json {
    return this.pick<Json>([
      { type: 'any' },
      { type: 'dict' },
      { nullable: true },
      { exclusiveMinimum: true, minimum: 0 },
      { required: true },
      { type: 'array', items: [{ type: 'string' }, true] },
      { type: 'array', items: undefined },
      { enum: [] },
      { anyOf: [] },
      { properties: null },
      { description: null },
      { additionalProperties: 'no' },
      { type: 'object', properties: { a: true, b: false } },
      { dependencies: { a: ['b'], c: { type: 'object' } } },
      { 'x-vendor': { type: 'string' }, $comment: 'c' },
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { if: { required: ['a'] }, then: { required: ['b'] } },
    ]);
  }

  #some(members: Json): Json {
    return Object.fromEntries(Object.entries(members).filter(() => this.#chance(0.4)));
  }
}
