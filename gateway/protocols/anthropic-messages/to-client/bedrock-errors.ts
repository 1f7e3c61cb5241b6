import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { mayLaterSucceed } from '../../../platform/errors/may-later-succeed.ts';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { RenderedError } from '../../dialect.ts';
import { messageOf } from './render-error.ts';

/**
 * By the status of the catalogue; others are the request's own fault. Named as in
 * docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html.
 */
const TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'UnrecognizedClientException'],
  [402, 'ServiceQuotaExceededException'],
  [404, 'ResourceNotFoundException'],
  [408, 'ModelTimeoutException'],
  [429, 'ThrottlingException'],
  [500, 'InternalServerException'],
  [502, 'ModelErrorException'],
  [503, 'ServiceUnavailableException'],
  [504, 'ModelTimeoutException'],
]);

const FORBIDDEN_STATUS = 403;

/**
 * Returns a refusal that no client is sent as 403. Set to a cloud, Claude Code takes that status
 * for credentials that are about to be renewed: it tries again for minutes, and tries other models.
 * It passes over a model that is 404, and shows what is 400.
 */
export function withoutForbidden(refusal: Refusal): Refusal {
  const { refused, vendorDetails = { error_code: refused } } = refusal;
  if (ERROR_CATALOGUE[refused].status !== FORBIDDEN_STATUS) return refusal;
  const shown = refused === 'model_not_allowed' ? 'model_not_found' : 'invalid_value';
  return { ...refusal, refused: shown, vendorDetails };
}

/** Returns a refusal as AWS SDKs expect it, in the words of Messages. */
export function renderBedrockError(reason: Refusal): RenderedError {
  const refusal = withoutForbidden(reason);
  const { status } = ERROR_CATALOGUE[refusal.refused];
  return {
    status,
    bytes: Buffer.from(JSON.stringify({ message: messageOf(refusal) })),
    shouldRetry: mayLaterSucceed(refusal),
    headers: [['x-amzn-errortype', TYPES.get(status) ?? 'ValidationException']],
  };
}

/** Exceptions that a stream can end with, by the type of the error in Messages. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['api_error', 'modelStreamErrorException'],
  ['overloaded_error', 'serviceUnavailableException'],
  ['rate_limit_error', 'throttlingException'],
  ['timeout_error', 'modelTimeoutException'],
]);

/** Returns the type of the exception that ends a stream. Others are the request's own fault. */
export function exceptionOf(errorType: string): string {
  return EXCEPTIONS.get(errorType) ?? 'validationException';
}
