import { clientAddress } from '../authentication/client-address.ts';
import { readCredential } from '../authentication/credential.ts';
import type { Exchange } from '../http/exchange.ts';
import { isRefusal } from '../../platform/errors/refusal.ts';
import { keyPrefix } from '../../platform/secrets/api-key.ts';
import type { RequestTrace } from '../request-trace.ts';
import type { ThreadContext } from '../thread-context.ts';

interface Refused {
  readonly exchange: Exchange;
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
}

/**
 * Finds out who sends a request without a known key, as long as the request history has entries
 * left for such requests. Before the handler's first await.
 */
export function logUnauthenticated({ exchange, context, trace }: Refused): void {
  if (!context.history.wantsUnauthenticated(trace.startedAtMs)) return;
  const { trustedProxyHops } = context.config;
  const forwardedFor = trustedProxyHops > 0 ? exchange.headerList('x-forwarded-for') : '';
  const credential = readCredential(exchange);
  trace.unauthenticated = {
    address: clientAddress(exchange.remoteAddress(), forwardedFor, trustedProxyHops),
    keyPrefix: isRefusal(credential) ? null : keyPrefix(credential.key),
  };
}
