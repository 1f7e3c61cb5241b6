import { refuse } from '../platform/errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import { RequestTrace } from './request-trace.ts';
import { DEFAULT_DIALECT } from '../protocols/registry.ts';
import type { ThreadContext } from './thread-context.ts';
import { replyRefusal } from './reply-refusal.ts';

/** How long the ledger may take to answer before this instance calls itself not ready. */
const READY_TIMEOUT_MS = 2_000;

/** GET /health: this thread runs its event loop. An orchestrator restarts what does not answer. */
export function serveHealth(exchange: Exchange): void {
  exchange.reply(200, [['content-type', 'application/json']], '{"status":"ok"}');
}

/**
 * GET /ready: requests can be served and paid for. A load balancer leaves out what is not ready,
 * and while PostgreSQL is away that would be every gateway, although with Redis they serve whom
 * they know: `postgres` is told, and decides nothing. Where PostgreSQL is the ledger, `ledger` says
 * it.
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
  const { ledgerHealth } = context.admission;
  // Under load the question would wait behind holds that succeed, and a gateway that serves would
  // be left out.
  const ledger =
    ledgerHealth.isWorking || ((await ledgerAnswers(context)) && !ledgerHealth.isFailing);
  const catalog = context.state.catalog.version > 0;
  const ready = ledger && catalog;
  const body = {
    status: ready ? 'ready' : 'not_ready',
    ledger,
    catalog,
    postgres: context.state.postgresReady,
  };
  exchange.reply(ready ? 200 : 503, [['content-type', 'application/json']], JSON.stringify(body));
}

async function ledgerAnswers({ ledger }: ThreadContext): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), READY_TIMEOUT_MS);
  const answered = ledger.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}
