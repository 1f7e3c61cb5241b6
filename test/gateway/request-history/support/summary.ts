import type { RequestSummary } from '../../../../gateway/platform/telemetry/request-log.ts';
import { newRequestId } from '../../../../gateway/platform/ids/request-id.ts';
import { Principal } from '../../../../gateway/data-plane/authentication/principal.ts';
import { KEY_ROW } from '../../../support/ledger/key-row.ts';

export const IDS = {
  accountId: '01a1fd85-7715-7fed-a767-b935f6226f91',
  keyId: '01a1fd85-7715-7fed-a767-b935f6226f92',
  groupId: '01a1fd85-7715-7fed-a767-b935f6226f93',
  channelId: '01a1fd85-7715-7fed-a767-b935f6226f94',
};

export function principal(accountId = IDS.accountId): Principal {
  return new Principal({ ...KEY_ROW, ...IDS, accountId });
}

export function tokens(input: number, output: number): RequestSummary['tokens'] {
  return { input, output, cachedInput: 0, cacheWrite: 0, reasoning: 0 };
}

/** A streamed request that was served by its first channel. */
export function served(atMs: number, change: Partial<RequestSummary> = {}): RequestSummary {
  return {
    startedAtMs: atMs,
    createdAtMs: atMs,
    requestId: newRequestId(atMs),
    principal: principal(),
    model: 'vendor/model',
    stream: true,
    channelId: IDS.channelId,
    attempts: 1,
    status: 'completed',
    httpStatus: 200,
    firstByteAtMs: atMs + 120,
    tokens: tokens(10, 50),
    estimated: false,
    capped: false,
    costNanoUsd: 1_000,
    refused: null,
    upstreamFailure: null,
    protocol: 'openai-chat',
    refusalMessage: null,
    failedAttempts: null,
    unauthenticated: null,
    holdFromMs: 1,
    heldMs: 3,
    attemptFromMs: 4,
    settleFromMs: 400,
    ...change,
  };
}

/** A request with a key that nobody has. */
export function unauthenticated(
  atMs: number,
  change: Partial<RequestSummary> = {},
): RequestSummary {
  return served(atMs, {
    principal: null,
    model: null,
    stream: false,
    channelId: null,
    attempts: 0,
    status: 'failed',
    httpStatus: 401,
    firstByteAtMs: null,
    tokens: null,
    costNanoUsd: 0,
    refused: 'invalid_api_key',
    refusalMessage: 'No such key.',
    holdFromMs: null,
    heldMs: null,
    attemptFromMs: null,
    settleFromMs: null,
    unauthenticated: { address: '203.0.113.9', keyPrefix: 'sk-guess' },
    ...change,
  });
}
