import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pg from 'pg';
import type { ErrorCode } from '@weir/shared/api/error-catalogue';
import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import {
  isConnectionError,
  isNoSpaceError,
  isReadOnlyError,
} from '../../stores/postgres/is-connection-error.ts';
import { sendProblem } from './problem-reply.ts';

type Validation = NonNullable<FastifyError['validation']>;

const CODE_BY_KEYWORD: Readonly<Record<string, ErrorCode>> = {
  required: 'missing_required_parameter',
  type: 'invalid_type',
};

interface FieldError {
  readonly field: string;
  readonly detail: string;
}

/** `/models/0/publicId` and what its keyword names, as `models.0.publicId`. */
function fieldErrors(validation: Validation): FieldError[] {
  return validation.flatMap(({ instancePath, params, message, keyword }) => {
    const path = instancePath.split('/').slice(1).map(unescaped);
    const named = params['requiredProperties'] ?? params['additionalProperties'];
    const names: unknown[] = Array.isArray(named) ? named : [undefined];
    const detail = keyword === 'additionalProperties' ? 'is unknown' : (message ?? 'is wrong');
    return names.map((name) => ({
      field: [...path, ...(typeof name === 'string' ? [name] : [])].join('.'),
      detail,
    }));
  });
}

/** A name as it was sent, of a part of a JSON pointer (RFC 6901). */
function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

const FIELD_ERRORS_MAX = 50;

function sendInvalid(reply: FastifyReply, validation: Validation, where: string): void {
  const errors = fieldErrors(validation).slice(0, FIELD_ERRORS_MAX);
  const [first] = errors;
  const code = CODE_BY_KEYWORD[validation[0]?.keyword ?? ''] ?? 'invalid_value';
  const words =
    first === undefined
      ? 'It is not valid.'
      : `${first.field || where}: ${first.detail.replace(/\.$/, '')}.`;
  sendProblem(reply, refuse(code, `The ${where} is not what this route takes. ${words}`), {
    errors,
  });
}

const WORDS_OF_PARTS: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

/** Fastify's own failures, by its codes. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: refuse('request_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refuse('unsupported_media_type'),
  FST_ERR_CTP_INVALID_JSON_BODY: refuse('invalid_json'),
  FST_ERR_CTP_EMPTY_JSON_BODY: refuse('invalid_json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: refuse('invalid_json'),
};

const NO_SUCH_TEXT = refuse(
  'invalid_value',
  'A text contains the character U+0000, which cannot be stored. Send the text without it.',
);
const NO_SUCH_TIME = refuse(
  'invalid_value',
  'A day or a time is outside the supported range. Send one in the years 1 to 9999, with an offset of less than 16 hours.',
);

/**
 * Values of a request that have the right shape, and that PostgreSQL refuses anyway; by its
 * codes.
 */
const REFUSED_VALUES: Readonly<Record<string, Refusal>> = {
  '22021': NO_SUCH_TEXT,
  '22P05': NO_SUCH_TEXT,
  '22007': NO_SUCH_TIME,
  '22008': NO_SUCH_TIME,
  '22009': NO_SUCH_TIME,
};

/** Money that comes to an account which has nearly as much as can be counted. */
const BALANCE_CONSTRAINT = 'accounts_balance_exact';
const TOO_MUCH = refuse(
  'invalid_value',
  'The balance would be larger than Weir can hold exactly (9,007,199 USD), so nothing was credited.',
);

function refusedValue({ code, constraint }: pg.DatabaseError): Refusal | undefined {
  if (constraint === BALANCE_CONSTRAINT) return TOO_MUCH;
  return code === undefined ? undefined : REFUSED_VALUES[code];
}

/** A restart of PostgreSQL takes seconds. */
const AWAY_RETRY_MS = 5_000;
const AWAY = refuse(
  'ledger_unavailable',
  'The database does not answer right now. Try again in a moment; if this persists, the operator finds the reason in the log by the request id.',
  { retryAfterMs: AWAY_RETRY_MS },
);

const READ_ONLY = refuse(
  'ledger_unavailable',
  'The database accepts no changes right now: it is a standby, or was set to read only. Stored data can be read; try the change again later. The operator finds details in the overview and in the log.',
  { retryAfterMs: AWAY_RETRY_MS },
);
const NO_SPACE = refuse(
  'ledger_unavailable',
  'The database has no disk space, memory or other resource left for this. Nothing was changed; try again once the operator has given it more.',
  { retryAfterMs: AWAY_RETRY_MS },
);

/** The database is why, and the same request may succeed later. */
function storeRefusal(error: Error): Refusal | undefined {
  if (isReadOnlyError(error)) return READ_ONLY;
  if (isNoSpaceError(error)) return NO_SPACE;
  return isConnectionError(error) ? AWAY : undefined;
}

const TOO_MANY_REQUESTS = 429;
const BAD_REQUEST = 400;

function retryAfterMs(reply: FastifyReply): number {
  return Number(reply.getHeader('retry-after') ?? 1) * 1000;
}

function refusalFor(error: FastifyError, reply: FastifyReply): Refusal | undefined {
  const known = REFUSALS[error.code];
  if (known !== undefined) return known;
  if (error instanceof pg.DatabaseError) return refusedValue(error);
  if (error.statusCode === TOO_MANY_REQUESTS) {
    return refuse('rate_limit_exceeded', 'Too many requests from this address. Wait a moment.', {
      retryAfterMs: retryAfterMs(reply),
    });
  }
  if (error instanceof SyntaxError || error.statusCode === BAD_REQUEST)
    return refuse('invalid_json');
  return undefined;
}

/** The refusal that an error amounts to; undefined for one that is not expected. */
export function refusalOf(error: FastifyError, reply: FastifyReply): Refusal | undefined {
  return refusalFor(error, reply) ?? storeRefusal(error);
}

function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.validation !== undefined) {
    sendInvalid(
      reply,
      error.validation,
      WORDS_OF_PARTS[error.validationContext ?? ''] ?? 'request',
    );
    return;
  }
  const refusal = refusalFor(error, reply);
  if (refusal === undefined) {
    request.log.error({ err: error, route: request.routeOptions.config.routeId }, 'request failed');
  }
  sendProblem(
    reply,
    refusal ??
      storeRefusal(error) ??
      refuse(
        'internal_error',
        'Something broke inside Weir. The operator finds it in the log by the request id.',
      ),
  );
}

/**
 * Every failure leaves as problem details; what is not expected is logged whole and reported in
 * general.
 */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>(handleError);
}
