import { refuse } from '../platform/errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import { RequestTrace } from './request-trace.ts';
import { DEFAULT_DIALECT } from '../protocols/registry.ts';
import type { ThreadContext } from './thread-context.ts';
import { replyRefusal } from './reply/reply-refusal.ts';

/** GET /health: this thread runs its event loop. An orchestrator restarts what does not answer. */
export function serveHealth(exchange: Exchange): void {
  exchange.reply(200, [['content-type', 'application/json']], '{"status":"ok"}');
}

/**
 * GET /ready: requests can be served and paid for. Load balancers remove gateways that are not
 * ready. While PostgreSQL is away, that would remove all, although with Redis they serve the keys
 * that they know: so `postgres` is reported, and decides nothing once it has worked. Where
 * PostgreSQL is the ledger, `ledger` says it (docs/decisions/0029-readiness.md).
 */
export async function serveReady(exchange: Exchange, context: ThreadContext): Promise<void> {
  if (context.state.shuttingDown) {
    const refusal = refuse(
      'shutting_down',
      'This instance is shutting down. Send requests to another.',
    );
    replyRefusal({ exchange, trace: new RequestTrace(), dialect: DEFAULT_DIALECT }, refusal);
    return;
  }
  const { catalog, stores } = context.state;
  const isLedgerReady = await context.ledgerReadiness.isReady();
  const hasCatalog = catalog.version > 0;
  const reasons = [
    ...(isLedgerReady ? [] : ['The ledger takes no holds; the log says why.']),
    ...(hasCatalog ? [] : ['The catalog is not loaded.']),
    ...(stores.notReady === null ? [] : [stores.notReady]),
  ];
  const isReady = reasons.length === 0;
  const body = {
    status: isReady ? 'ready' : 'not_ready',
    ledger: isLedgerReady,
    catalog: hasCatalog,
    postgres: stores.postgresReady,
    reasons,
  };
  exchange.reply(isReady ? 200 : 503, [['content-type', 'application/json']], JSON.stringify(body));
}
