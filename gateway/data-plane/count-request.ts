import { readCredential } from './authentication/credential.ts';
import { refuseModel } from '../catalog/refuse-model.ts';
import { isRefusal, type Refusal } from '../platform/errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import type { EndpointMatch } from '../protocols/registry.ts';
import { endInError, replyHeaders, replyRefusal } from './reply-refusal.ts';
import { conclude, headOf } from './request-path.ts';
import { RequestTrace } from './request-trace.ts';
import type { ThreadContext } from './thread-context.ts';

/**
 * Counts the tokens of a prompt on the worker pool. It is free: nothing is held or charged, and no
 * upstream generates anything. Never throws and never rejects.
 */
export function serveCount(exchange: Exchange, match: EndpointMatch, context: ThreadContext): void {
  const trace = new RequestTrace();
  const { protocol } = match.endpoint;
  const reply = { exchange, trace, dialect: protocol };
  void count(exchange, match, { context, trace })
    .then(
      (result) => {
        if (isRefusal(result)) {
          replyRefusal(reply, result);
          return;
        }
        trace.httpStatus = 200;
        exchange.reply(200, replyHeaders(trace.requestId, protocol), JSON.stringify(result));
      },
      (error: unknown) => {
        context.log.broken(trace.requestId, error);
        endInError(reply);
      },
    )
    .finally(() => conclude(context, trace));
}

async function count(
  exchange: Exchange,
  match: EndpointMatch,
  { context, trace }: { readonly context: ThreadContext; readonly trace: RequestTrace },
): Promise<object | Refusal> {
  const { protocol } = match.endpoint;
  const credential = readCredential(exchange);
  if (isRefusal(credential)) return credential;
  const head = headOf({ exchange, ...match });
  const found = context.principals.find(credential.key);
  const sender = found instanceof Promise || isRefusal(found) ? credential.key : found.accountId;
  const body = exchange.readBody(context.bodyLimits, context.bodyBuffers, sender);
  const principal = await found;
  if (isRefusal(principal)) return principal;
  trace.principal = principal;
  const bytes = await body;
  if (isRefusal(bytes)) return bytes;
  const request = protocol.parse(bytes, head, context.requestLimits);
  if (isRefusal(request)) return request;
  trace.request = request;
  const offer = context.state.catalog.offer(principal.groupId, request.model);
  if ('missing' in offer || !principal.allowsModel(request.model)) {
    return refuseModel(request.model, offer);
  }
  const tokens = await context.workers.countPrompt({
    protocol: protocol.id,
    model: request.model,
    body: bytes,
  });
  if (typeof tokens !== 'number') return tokens;
  if (protocol.renderCount === undefined) throw new Error(`${protocol.id} renders no counts`);
  return protocol.renderCount(tokens);
}
