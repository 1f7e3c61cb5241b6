import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { redactSecrets } from '@weir/shared/redact-secrets';
import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { AdminContext } from '../../api/context.ts';
import { refusalOf } from '../../api/error-handler.ts';
import { isReferenceBroken } from '../../api/transaction.ts';
import { SCIM_MEDIA_TYPE, ScimError, type ScimType } from './scim-error.ts';

const NOTE = `
  update directories set last_refusal = $2, last_refused_at = now() where provider_id = $1`;
const REFUSAL_CHARACTERS_MAX = 300;

const CHANGED = new ScimError(409, 'What this refers to was removed in the meantime. Try again.');
const BROKEN = new ScimError(
  500,
  'Something broke inside Weir. The operator finds it in the log by the request id.',
);

function scimTypeOf(status: number, code: string): ScimType | undefined {
  if (status !== 400) return undefined;
  return code === 'invalid_json' ? 'invalidSyntax' : 'invalidValue';
}

/** Any error as SCIM has it; those of the admin API keep their words. */
function scimErrorOf(error: FastifyError, reply: FastifyReply): ScimError {
  if (error instanceof ScimError) return error;
  if (isReferenceBroken(error)) return CHANGED;
  const refusal = refusalOf(error, reply);
  if (refusal === undefined) return BROKEN;
  const { status } = ERROR_CATALOGUE[refusal.refused];
  const scimType = scimTypeOf(status, refusal.refused);
  const retry = refusal.retryAfterMs === null ? {} : { retryAfterMs: refusal.retryAfterMs };
  return new ScimError(status, refusal.message, { scimType, ...retry });
}

/**
 * Keeps why a directory was refused, for the operator. A resource that is not there is no fault.
 */
async function noteRefusal(
  { pool, logger }: AdminContext,
  { directory }: FastifyRequest,
  { status, message }: ScimError,
): Promise<void> {
  if (directory === null || status === 404 || status >= 500) return;
  const text = redactSecrets(message).slice(0, REFUSAL_CHARACTERS_MAX);
  await pool.query(NOTE, [directory.id, text]).catch((error: unknown) => {
    logger.warn({ err: error }, 'the refusal of a SCIM request could not be kept');
  });
}

function send(reply: FastifyReply, error: ScimError): void {
  const { status, retryAfterMs } = error;
  if (status === 401) void reply.header('www-authenticate', 'Bearer realm="SCIM"');
  if (retryAfterMs !== undefined) {
    void reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  }
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(SCIM_MEDIA_TYPE)
    .send(redactSecrets(JSON.stringify(error.body())));
}

/** Every failure leaves as an error of SCIM; one that is not expected is logged whole. */
export function handleScimErrors(scope: FastifyInstance, context: AdminContext): void {
  scope.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const refused = scimErrorOf(error, reply);
    if (refused === BROKEN) {
      request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
    }
    await noteRefusal(context, request, refused);
    send(reply, refused);
    return reply;
  });
  scope.setNotFoundHandler((request, reply) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    send(reply, new ScimError(404, `${request.method} ${pathname} is not a path of SCIM here.`));
  });
}
