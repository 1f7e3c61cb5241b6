import type { Outcome } from '../attempt-outcome.ts';
import type { Principal } from '../authentication/principal.ts';
import type { Offer } from '../../catalog/catalog.ts';
import { countUpstream } from './count-upstream.ts';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { ModelEndpoint } from '../../protocols/endpoint.ts';
import type { ParsedRequest } from '../../protocols/protocol.ts';
import { replyHeaders } from '../reply/reply-refusal.ts';
import type { ActiveRequest } from '../request-path.ts';

interface CountedRequest {
  readonly request: ParsedRequest;
  readonly offer: Offer;
  readonly principal: Pick<Principal, 'accountId'>;
}

/**
 * Counts the tokens of a prompt: by the upstream's own counter where there is one, else on the
 * worker pool. It is free: nothing is held or charged, and no upstream generates anything.
 */
export async function countPrompt(
  { request, offer, principal: { accountId } }: CountedRequest,
  { exchange, endpoint, dialect, context, trace }: ActiveRequest<ModelEndpoint>,
): Promise<Pick<Outcome, 'send'> | Refusal> {
  const { protocol } = endpoint;
  const { model, bytes: body } = request;
  request.parsed?.drop();
  const tokens =
    (await countUpstream({ request, offer, endpoint, accountId, context })) ??
    (await context.workers.countPrompt({ protocol: protocol.id, model, body }));
  if (typeof tokens !== 'number') return tokens;
  if (dialect.renderCount === undefined) throw new Error(`${protocol.id} renders no counts`);
  const count = JSON.stringify(dialect.renderCount(tokens));
  return {
    send: () => {
      trace.httpStatus = 200;
      exchange.reply(200, replyHeaders(trace.requestId, dialect), count);
    },
  };
}
