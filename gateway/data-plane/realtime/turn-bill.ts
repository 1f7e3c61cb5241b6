import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import { refuseUnpriced, usableOffer } from '../../catalog/refuse-model.ts';
import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { ModelEndpoint } from '../../protocols/endpoint.ts';
import type { RealtimeTurn } from '../../protocols/realtime.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import type { Principal } from '../authentication/principal.ts';
import type { Billing, DeliveredReply, DeliveredStatus } from '../billing/billing.ts';
import { conclude } from '../reply/conclude.ts';
import { holdFor } from '../request-path.ts';
import { RequestTrace } from '../request-trace.ts';
import { servedRoutes, type ServedRoute } from '../routing/served-routes.ts';
import type { ThreadContext } from '../thread-context.ts';

/** The payer of a turn, and where it is made. */
export interface TurnTerms {
  readonly context: ThreadContext;
  readonly principal: Principal;
  readonly endpoint: ServedEndpoint<ModelEndpoint>;
  /** The route of the session. */
  readonly route: ServedRoute;
}

/**
 * Holds money for one turn of a session: it passes what a request over HTTP passes, and has a
 * request id, a record and a log entry of its own.
 */
export async function holdTurn(turn: RealtimeTurn, terms: TurnTerms): Promise<TurnBill | Refusal> {
  const { context, principal, endpoint } = terms;
  const trace = new RequestTrace();
  trace.protocol = endpoint.protocol.id;
  trace.principal = principal;
  trace.request = turn.request;
  const held = await hold(turn, trace, terms);
  if (!isRefusal(held)) return held;
  trace.refused = held.refused;
  trace.refusalMessage = held.message;
  trace.httpStatus = ERROR_CATALOGUE[held.refused].status;
  conclude(context, trace);
  return held;
}

/** Holds money for a turn and releases it again, without an entry in the log. */
export async function tryHold(turn: RealtimeTurn, terms: TurnTerms): Promise<Refusal | undefined> {
  const held = await hold(turn, new RequestTrace(), terms);
  if (isRefusal(held)) return held;
  await held.release();
  return undefined;
}

async function hold(
  turn: RealtimeTurn,
  trace: RequestTrace,
  { context, principal, endpoint, route }: TurnTerms,
): Promise<TurnBill | Refusal> {
  const { request } = turn;
  const offer = usableOffer(context.state.catalog, principal, request.model);
  if (isRefusal(offer)) return offer;
  const unpriced = refuseUnpriced(request, offer);
  if (unpriced !== undefined) return unpriced;
  // The upstream cuts a longer conversation.
  const promptTokensBound = Math.min(request.promptTokensBound, offer.model.contextTokensMax);
  const held = await holdFor(
    { principal, offer, request: { ...request, promptTokensBound } },
    { endpoint, context, trace },
  );
  if (isRefusal(held)) return held;
  const { id } = route.channel;
  const own = servedRoutes(offer, endpoint).find(({ channel }) => channel.id === id) ?? route;
  return new TurnBill({ context, trace, turn, billing: held.billing, route: own });
}

interface BillParts {
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
  readonly turn: RealtimeTurn;
  readonly billing: Billing;
  readonly route: ServedRoute;
}

/** The bill of one turn, whose money is held. */
export class TurnBill implements DeliveredReply {
  readonly #parts: BillParts;
  #delivers = false;
  #textTokens = 0;
  #ended: Promise<void> | undefined;
  /** The upstream has begun to work on it. */
  hasBegun = false;
  /** Nothing covers more of it: what comes does not reach the client. */
  isStopped = false;

  constructor(parts: BillParts) {
    this.#parts = parts;
    const { context } = parts;
    context.state.requestsUnderWay += 1;
  }

  /** Its bill is being settled: answers about its hold no longer matter. */
  get isEnding(): boolean {
    return this.#ended !== undefined;
  }

  get startedAtMs(): number {
    return this.#parts.trace.startedAtMs;
  }

  get meter(): Billing['meter'] {
    return this.#parts.billing.meter;
  }

  get outputTokensCap(): number | null {
    return this.#parts.billing.outputTokensCap;
  }

  get usage(): TokenCounts | null {
    return this.#parts.turn.usage;
  }

  get isEstimate(): boolean {
    return this.#parts.turn.isEstimate;
  }

  countDelivered(): TokenCounts {
    const counts = this.#parts.turn.countDelivered();
    return { ...counts, output: counts.output + this.#textTokens };
  }

  /** Its tokens are counted before the bill is settled, apart from those of sound. */
  deliveredText(): string {
    return '';
  }

  /** The turn goes to the upstream, or was begun there. */
  sent(): void {
    const { billing, trace, route } = this.#parts;
    trace.attemptBegins(trace.startedAtMs);
    billing.attempting(route);
  }

  /** Some of the turn goes to the client. */
  delivers(): void {
    const { billing, turn } = this.#parts;
    if (!this.#delivers) {
      this.#delivers = true;
      billing.delivering(this);
    }
    billing.meter.delivered(turn.outputTokensEstimate);
  }

  /** Gives the money back: the turn was never meant to be made. */
  async release(): Promise<void> {
    const { context, billing } = this.#parts;
    await billing.settle();
    context.state.requestsUnderWay -= 1;
  }

  /** Charges the turn, or releases its hold if nothing was made; once. Never rejects. */
  end(status: DeliveredStatus): Promise<void> {
    this.#ended ??= this.#settle(status);
    return this.#ended;
  }

  async #settle(status: DeliveredStatus): Promise<void> {
    const { context, trace, billing } = this.#parts;
    try {
      // A report that comes without any output before it, such as that of a tool call.
      if (this.usage !== null && !this.#delivers) billing.delivering(this);
      else if (this.usage === null && this.#delivers) await this.#countText();
      billing.httpStatus = 200;
      trace.httpStatus = 200;
      billing.delivered(status);
      if (status === 'client_disconnected' && billing.attempts > 0) billing.abandoned();
      trace.settleBegins();
      await billing.settle();
    } catch (error) {
      context.log.broken(trace.requestId, error);
    } finally {
      context.state.requestsUnderWay -= 1;
      conclude(context, trace);
    }
  }

  async #countText(): Promise<void> {
    const { context, turn } = this.#parts;
    const text = turn.deliveredText();
    if (text === '') return;
    const counted = await context.workers.countText(turn.request.model, text);
    const estimate = turn.outputTokensEstimate - turn.countDelivered().output;
    this.#textTokens = typeof counted === 'number' ? counted : estimate;
  }
}
