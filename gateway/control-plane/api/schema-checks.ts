import type { FastifySchemaValidationError } from 'fastify';
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify/types/schema.js';
import { IsInteger, IsObject, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { checkTexts } from './check-texts.ts';

function plainError(error: TLocalizedValidationError): FastifySchemaValidationError {
  return {
    keyword: error.keyword,
    instancePath: error.instancePath,
    schemaPath: error.schemaPath,
    params: { ...error.params },
    message: error.message,
  };
}

const WHOLE_NUMBER = /^-?\d{1,15}$/;

/**
 * Query and path arrive as text: whole numbers become numbers where the schema wants one. What is
 * not exactly that stays text and is refused, where TypeBox's own conversion would make 1 of "1.5".
 */
function numbersFromText(schema: TSchema, value: unknown): unknown {
  if (!IsObject(schema) || typeof value !== 'object' || value === null) return value;
  const { properties } = schema;
  return Object.fromEntries(
    Object.entries<unknown>({ ...value }).map(([name, text]) => {
      const property = properties[name];
      const wantsNumber = property !== undefined && IsInteger(property);
      const isNumber = typeof text === 'string' && WHOLE_NUMBER.test(text);
      return [name, wantsNumber && isNumber ? Number(text) : text];
    }),
  );
}

/**
 * Checks requests by a schema. Query and path arrive as text and are converted; a body is taken as
 * it is, because "12" in JSON is not a number and its author should know. The schema is compiled at
 * the first request: compiling those of all routes was half of what the server's start took.
 */
export const compileRequestSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let validator: Validator | undefined;
  return (value: unknown) => {
    validator ??= Compile(schema);
    const isBody = httpPart === 'body';
    const texts = isBody ? checkTexts(schema, value) : { value, faults: [] };
    if (texts.faults.length > 0) return { error: [...texts.faults] };
    const filled = validator.Default(isBody ? texts.value : numbersFromText(schema, value));
    if (validator.Check(filled)) return { value: filled };
    return { error: validator.Errors(filled).map(plainError) };
  };
};

/** Writes replies without looking: views are typed, so they have the shape of their schema. */
export const writeReply: FastifySerializerCompiler<TSchema> = () => (value: unknown) =>
  JSON.stringify(value);

/**
 * Writes replies and refuses to send one that differs from its schema: for tests. Compiled when the
 * first is sent, because a test asks few of the routes.
 */
export const writeCheckedReply: FastifySerializerCompiler<TSchema> = ({ schema, method, url }) => {
  let validator: Validator | undefined;
  return (value: unknown) => {
    validator ??= Compile(schema);
    // What JSON makes of it is what the schema describes: absent fields, dates as text.
    const text = JSON.stringify(value);
    const wire: unknown = JSON.parse(text);
    if (validator.Check(wire)) return text;
    const [error] = validator.Errors(wire);
    throw new Error(
      `${method} ${url} answers what its schema does not allow: ${error?.instancePath ?? ''} ${error?.message ?? ''}`,
    );
  };
};
