import * as Type from 'typebox';
import type { TObject, TObjectOptions, TOptional, TProperties, TSchema } from 'typebox';

/**
 * Values as they look on the wire of the admin API. Money is a decimal string in USD, because JSON
 * numbers lose nanodollars in some clients; times are RFC 3339 in UTC; ids are UUIDs.
 */

/**
 * The characters that a text may have: `{ [TEXT_KIND]: 'lines' }` in its schema. A text without it
 * is a `line`; see text-faults.ts. The `ascii` ones are trimmed. `opaque` is not checked:
 * passwords, and searches. `random` ones, which a machine has chosen, are refused when they contain
 * what begins as keys do. Texts that are meant to be secret are `writeOnly`; all others are refused
 * when they look like a key.
 */
export const TEXT_KIND = 'x-text';

/** An object that refuses fields it does not know: a misspelled field must not be ignored. */
export function closed<Properties extends TProperties>(
  properties: Properties,
  description?: string,
): TObject<Properties> {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(description === undefined ? {} : { description }),
  });
}

/**
 * The object with all of its properties optional. TypeBox's `Partial` does the same and brings its
 * whole type engine, 10 kB of the first load of the console.
 */
export function partial<Properties extends TProperties>(
  { properties }: TObject<Properties>,
  options: TObjectOptions = {},
) {
  const optional = Object.entries(properties).map(([name, schema]) => [
    name,
    Type.Optional(schema),
  ]);
  return Type.Object(
    Object.fromEntries(optional) as { [Name in keyof Properties]: TOptional<Properties[Name]> },
    options,
  );
}

/** One of a few words. */
export function choice<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description?: string,
) {
  return Type.Enum<[...Values]>([...values], {
    type: 'string',
    ...(description === undefined ? {} : { description }),
  });
}

export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? undefined : { description });
}

export const Id = Type.String({ format: 'uuid' });

/** The id of a member or a team: a whole number, as text. */
export const Serial = Type.String({ pattern: '^[1-9]\\d{0,14}$' });

/** A single-use secret from a link. */
export const LinkToken = Type.String({
  minLength: 20,
  maxLength: 200,
  writeOnly: true,
  [TEXT_KIND]: 'ascii',
});

/**
 * RFC 3339 with milliseconds, in UTC: `2026-01-31T12:00:00.000Z`. Any offset is accepted on input.
 */
export const Instant = Type.String({ format: 'date-time', maxLength: 40 });

/** `2026-01-31`, a day in UTC. */
export const Day = Type.String({ format: 'date' });

/** `2026-01`, a month in UTC. */
export const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });

/** Signed decimal USD with at most nine decimals: `"-0.000000001"`. */
export const Usd = Type.String({
  pattern: '^-?\\d{1,8}(\\.\\d{1,9})?$',
  description: 'USD as a decimal string, exact to nine decimals.',
});

/** Like `Usd`, and not negative. */
export const UsdAmount = Type.String({
  pattern: '^\\d{1,8}(\\.\\d{1,9})?$',
  description: 'USD as a decimal string, exact to nine decimals, not negative.',
});

/** A sum over many accounts may be longer than an amount of one. */
export const UsdTotal = Type.String({
  pattern: '^-?\\d{1,20}(\\.\\d{1,9})?$',
  description: 'USD as a decimal string, exact to nine decimals.',
});

/** A price multiplier as a decimal string with at most six decimals: `"1"`, `"0.85"`. */
export const Multiplier = Type.String({
  pattern: '^\\d{1,3}(\\.\\d{1,6})?$',
  description: 'A factor as a decimal string with at most six decimals.',
});

/** A name a person gives. */
export const NAME_LENGTH_MAX = 100;
export const Name = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, pattern: '\\S' });

/** A longer text a person writes: a description, a reason. */
export const Text = Type.String({ maxLength: 2000, [TEXT_KIND]: 'lines' });

/** A reason is demanded where money moves by hand. */
export const Reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  [TEXT_KIND]: 'lines',
});

const EMAIL_WORD = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const HOST_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * An address as mail servers take it. No quoted local part, which may hold ends of lines, and no
 * characters outside ASCII, which many servers refuse.
 */
export const EmailAddress = Type.String({
  format: 'email',
  maxLength: 254,
  pattern: `^(?=[^@]{1,64}@)${EMAIL_WORD}(?:\\.${EMAIL_WORD})*@${HOST_LABEL}(?:\\.${HOST_LABEL})*$`,
  [TEXT_KIND]: 'ascii',
});

/** One that a user has, whatever it may consist of: it was taken when other rules held. */
export const KnownEmailAddress = Type.String({
  minLength: 1,
  maxLength: 254,
  [TEXT_KIND]: 'opaque',
  writeOnly: true,
});

/** Length is what matters; argon2 hashes at most this much. */
export const Password = Type.String({
  minLength: 10,
  maxLength: 200,
  writeOnly: true,
  [TEXT_KIND]: 'opaque',
});

/** A password that a user has. */
export const KnownPassword = Type.String({
  minLength: 1,
  maxLength: 200,
  writeOnly: true,
  [TEXT_KIND]: 'opaque',
});

/** A whole number of tokens, requests, milliseconds. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** A limit a person may set; null is no limit. Postgres holds it as an integer. */
export const Limit = nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }));
