import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { mayLaterSucceed } from '../../../platform/errors/may-later-succeed.ts';
import type { Refusal } from '../../../platform/errors/refusal.ts';
import type { RenderedError } from '../../dialect.ts';
import { messageOf } from './render-error.ts';
import { withoutForbidden } from './without-forbidden.ts';

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
