import type { FastifySchemaValidationError } from 'fastify';
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';

function plainError(error: TLocalizedValidationError): FastifySchemaValidationError {
  return {
    keyword: error.keyword,
    instancePath: error.instancePath,
    schemaPath: error.schemaPath,
    params: { ...error.params },
    message: error.message,
  };
}

/**
 * Compiles a request schema. Query and path arrive as text and are converted; a body is taken as it is,
 * because "12" in JSON is not a number and whoever wrote it should know.
 */
export const compileRequestSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validator = Compile(schema);
  return (value: unknown) => {
    const converted = httpPart === 'body' ? value : validator.Convert(value);
    const filled = validator.Default(converted);
    if (validator.Check(filled)) return { value: filled };
    return { error: validator.Errors(filled).map(plainError) };
  };
};

/** Writes replies without looking: views are typed, so they have the shape of their schema. */
export const writeReply: FastifySerializerCompiler<TSchema> = () => (value: unknown) =>
  JSON.stringify(value);

/** Writes replies and refuses to send one that differs from its schema: for tests. */
export const writeCheckedReply: FastifySerializerCompiler<TSchema> = ({ schema, method, url }) => {
  const validator = Compile(schema);
  return (value: unknown) => {
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
