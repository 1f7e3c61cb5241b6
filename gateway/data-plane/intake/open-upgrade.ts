import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { ReplyDialect } from '../../protocols/dialect.ts';
import type { Principal } from '../authentication/principal.ts';
import type { CopiedHead } from '../http/copied-head.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import { conclude } from '../reply/conclude.ts';
import { brokenRefusal, replyRefusal } from '../reply/reply-refusal.ts';
import type { RequestTrace } from '../request-trace.ts';
import type { ThreadContext } from '../thread-context.ts';
import { logUnauthenticated } from './log-unauthenticated.ts';
import { authenticate, identifyCaller } from './take-in.ts';

/** A request for a WebSocket. */
export interface Upgrade {
  readonly exchange: HttpExchange;
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
  readonly dialect: ReplyDialect;
}

interface UpgradeSteps {
  /** Upgrades the connection of a client with a valid key, or returns why it does not. */
  readonly begin: (
    principal: Principal,
    head: CopiedHead,
  ) => Refusal | undefined | Promise<Refusal | undefined>;
  /** Returns the refusal in the form that clients of this path expect. */
  readonly explain: (refusal: Refusal) => Refusal;
}

/**
 * Authenticates a request for a WebSocket and begins it. Every refusal is a reply over HTTP. Never
 * throws and never rejects.
 */
export function openUpgrade(upgrade: Upgrade, { begin, explain }: UpgradeSteps): void {
  const { exchange, context, trace } = upgrade;
  const refuse = (refusal: Refusal): void => {
    replyRefusal(upgrade, explain(refusal));
    conclude(context, trace);
  };
  const caller = identifyCaller(exchange, context);
  if (isRefusal(caller)) {
    logUnauthenticated(upgrade);
    refuse(caller);
    return;
  }
  const head = exchange.copyHead();
  context.state.requestsUnderWay += 1;
  const enter = async (): Promise<Refusal | undefined> => {
    try {
      const principal = await authenticate(caller, upgrade);
      return isRefusal(principal) ? principal : await begin(principal, head);
    } catch (error) {
      context.log.broken(trace.requestId, error);
      return brokenRefusal(trace.requestId);
    }
  };
  void enter().then((refused) => {
    context.state.requestsUnderWay -= 1;
    if (refused !== undefined) refuse(refused);
  });
}
