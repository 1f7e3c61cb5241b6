import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { Ticking } from '../../platform/event-loop/ticker.ts';
import type {
  RealtimeConversation,
  RealtimeTurn,
  UpstreamEvent,
} from '../../protocols/realtime.ts';
import type { DeliveredStatus } from '../billing/billing.ts';
import type { ClientSocket, SocketHandler } from '../http/client-socket.ts';
import { brokenRefusal } from '../reply/reply-refusal.ts';
import { RequestTrace } from '../request-trace.ts';
import type { SocketEnd, UpstreamSink, UpstreamSocket } from '../upstream/upstream-socket.ts';
import { ClientEvents } from './client-events.ts';
import type { Connected } from './connect-upstream.ts';
import { closeCodeOf, closeReason, forwardedCode, GOING_AWAY, NORMAL } from './session-end.ts';
import { SessionTurns, type StoppedTurn, type TurnsParts } from './session-turns.ts';
import { SessionWatch } from './session-watch.ts';

/** A turn that is cancelled is billed by its report, if that comes within this time. */
const REPORT_MS_MAX = 2_500;

export interface SessionParts extends TurnsParts, Pick<Connected, 'begun'> {
  readonly upstream: UpstreamSocket;
  readonly conversation: RealtimeConversation;
  readonly accountId: string;
  /** The upstream's first event. */
  readonly first: Buffer;
}

/** A session's end for the client, and the status of turns that are under way. */
interface Ending {
  readonly code: number;
  readonly reason: string;
  readonly status: DeliveredStatus;
}

type TurnEvent = Exclude<UpstreamEvent, { kind: 'passes' | 'dropped' }>;

/**
 * One session: events pass from the client to the upstream and back, in their order.
 *
 * States: open -> ending (the client has its error; turns under way are cancelled, and their
 * reports awaited for a moment) -> over (every bill is settled, both sockets are closed).
 *
 * The upstream is not read while the client is slow, while money is asked for and while a bill is
 * settled, so that events keep their order and none has to be kept.
 */
export class RealtimeSession implements SocketHandler, UpstreamSink, Ticking {
  place = -1;
  readonly #parts: SessionParts;
  readonly #turns: SessionTurns;
  readonly #events: ClientEvents;
  readonly #watch: SessionWatch;
  #socket: ClientSocket | undefined;
  /** Steps that the upstream's next event waits for. */
  #waits = 0;
  #ending: Ending | undefined;
  #isOver = false;
  #goesAway = false;
  #isHangingUp = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#turns = new SessionTurns(parts, () => this.#flow());
    this.#events = new ClientEvents(parts, this.#turns, {
      refused: (refusal, answersLast) => this.#sendError(refusal, answersLast),
      broken: (error) => this.#break(error),
      mayNotGoOn: (refusal, isSaid) => this.#endFor(refusal, 'funds_exhausted', isSaid),
    });
    this.#watch = new SessionWatch(parts);
  }

  get accountId(): string {
    return this.#parts.accountId;
  }

  opened(socket: ClientSocket): void {
    this.#socket = socket;
    const { context, upstream, first } = this.#parts;
    context.webSockets.add(this);
    context.ticker.add(this);
    this.message(first);
    upstream.attach(this);
    this.#flow();
  }

  /** An event of the client. */
  text(lent: Buffer): void {
    if (this.#ending === undefined) this.#events.add(lent);
  }

  binary(): void {
    this.#sendError(refuse('invalid_json', 'Send each event as a text frame of JSON.'), false);
  }

  /** Either side has taken some of what was sent. */
  writable(): void {
    this.#events.passOn();
    this.#flow();
  }

  /** The client is gone. */
  closed(): void {
    if (this.#isHangingUp && this.#socket !== undefined) this.#socket.listener.inFlight -= 1;
    this.#socket = undefined;
    this.#parts.context.webSockets.remove(this);
    this.#end({ code: NORMAL, reason: '', status: 'client_disconnected' });
  }

  goAway(): void {
    this.#goesAway = true;
    this.#events.refusesReplies = true;
    if (this.#turns.size > 0 || this.#ending !== undefined) return;
    const reason = 'The gateway is restarting.';
    this.#sendError(refuse('shutting_down', `${reason} Open another session.`), false);
    this.#end({ code: GOING_AWAY, reason, status: 'completed' });
  }

  /** An event of the upstream. */
  message(frame: Buffer): void {
    if (this.#isOver) return;
    this.#watch.heard();
    const event = this.#parts.conversation.fromUpstream(frame);
    if (event.kind === 'passes') this.#send(event.frame);
    else if (event.kind !== 'dropped') this.#passTurn(event);
  }

  /** The upstream is gone. */
  ended(end: SocketEnd): void {
    const { upstreamModel, publicId = upstreamModel } = this.#parts.route;
    if (this.#ending !== undefined) {
      void this.#finish();
      return;
    }
    let reason = closeReason(end.reason.replaceAll(upstreamModel, publicId));
    if (end.isBroken) {
      const message = 'The upstream broke off the session. Open another one.';
      this.#sendError(refuse('upstream_error', message), false);
      reason = 'upstream_error';
    }
    this.#ending = { code: forwardedCode(end), reason, status: 'upstream_disconnected' };
    void this.#finish();
  }

  tick(nowMs: number): void {
    this.#turns.tick(nowMs);
    this.#flow();
    if (this.#ending !== undefined) return;
    const { access } = this.#parts;
    access.check((refusal) => this.#endFor(refusal));
    const stuck = this.#watch.tick(nowMs, this.#socket, this.#turns);
    for (const turn of stuck.unbegun) this.#withdraw(turn);
    if (stuck.client) this.#socket?.cutOff();
    else if (stuck.upstream !== undefined) this.#endFor(stuck.upstream, 'upstream_disconnected');
  }

  /** Passes an event of a turn on, once there is money for it. */
  #passTurn(event: TurnEvent): void {
    const { kind, turn } = event;
    const bill = this.#turns.find(turn);
    if (bill === undefined) {
      if (!this.#turns.isRefused(turn)) this.#wait(this.#holdBegun(keptEvent(event)));
      return;
    }
    bill.hasBegun ||= kind !== 'begins' || !turn.mayNotCome;
    if (kind === 'ends' || kind === 'refuses') {
      this.#wait(this.#endTurn(keptEvent(event)));
      return;
    }
    if (bill.isStopped) return;
    if (kind === 'delivers') bill.delivers();
    this.#send(event.frame);
    if (bill.meter.mustWait || bill.meter.stopCode !== null) this.#flow();
  }

  /** The upstream has begun a turn by itself: it heard the end of a sentence. */
  async #holdBegun(event: TurnEvent): Promise<void> {
    const bill = await this.#turns.hold(event.turn);
    if (isRefusal(bill)) {
      // A sentence more would be one more turn without money.
      this.#cancel(event.turn);
      this.#endFor(bill, 'funds_exhausted');
      return;
    }
    bill.sent();
    if (this.#isOver) {
      await this.#turns.end(event.turn, 'client_disconnected');
      return;
    }
    if (this.#ending !== undefined) this.#cancel(event.turn);
    this.#passTurn(event);
  }

  async #endTurn({ turn, frame }: TurnEvent): Promise<void> {
    await this.#turns.end(turn, this.#ending?.status ?? 'completed');
    this.#send(frame);
  }

  /** The upstream's next event waits for a step. */
  #wait(step: Promise<void>): void {
    this.#waits += 1;
    void step
      .catch((error: unknown) => this.#break(error))
      .finally(() => {
        this.#waits -= 1;
        if (this.#waits === 0 && this.#turns.size === 0) this.#rest();
        this.#flow();
      });
    this.#flow();
  }

  /** An invariant is broken. */
  #break(error: unknown): void {
    const { requestId } = new RequestTrace();
    this.#parts.context.log.broken(requestId, error);
    this.#endFor(brokenRefusal(requestId));
  }

  /** Nothing is under way: a session that is to end can. */
  #rest(): void {
    if (this.#ending !== undefined) void this.#finish();
    else if (this.#goesAway) this.goAway();
  }

  /** Reads the upstream, or does not, as client and money allow. */
  #flow(): void {
    const stopped = this.#turns.findStopped();
    if (stopped !== undefined) this.#stopTurn(stopped);
    const isSlow = this.#socket?.isFlowing === false;
    const isEnding = this.#ending !== undefined;
    const mustWait = this.#waits > 0 || (!isEnding && (isSlow || this.#turns.mustWait));
    if (mustWait) this.#parts.upstream.pause();
    else this.#parts.upstream.resume();
  }

  #stopTurn({ turn, code }: StoppedTurn): void {
    if (code === 'output_limit') {
      this.#cancel(turn);
      return;
    }
    const isMoney = code !== 'ledger_unavailable';
    this.#endFor(refuse(code), isMoney ? 'funds_exhausted' : 'ledger_unavailable');
  }

  #cancel(turn: RealtimeTurn): void {
    const { conversation, upstream } = this.#parts;
    const event = conversation.cancelEvent(turn);
    if (event !== undefined) upstream.sendText(event);
  }

  #withdraw(turn: RealtimeTurn): void {
    this.#parts.conversation.withdraw(turn);
    void this.#turns.end(turn, 'completed');
  }

  /** @param isSaid the client has the error */
  #endFor(refusal: Refusal, status: DeliveredStatus = 'completed', isSaid = false): void {
    if (this.#ending !== undefined) return;
    if (!isSaid) this.#sendError(refusal, false);
    this.#end({ code: closeCodeOf(refusal), reason: refusal.refused, status });
  }

  /** Cancels what is under way, and awaits its reports for a moment. */
  #end(ending: Ending): void {
    if (this.#ending !== undefined) {
      if (this.#socket === undefined) this.#flow();
      return;
    }
    this.#ending = ending;
    this.#events.stop();
    for (const turn of this.#turns.underWay()) this.#cancel(turn);
    if (this.#turns.size === 0 && this.#waits === 0) {
      void this.#finish();
      return;
    }
    setTimeout(() => void this.#finish(), REPORT_MS_MAX).unref();
    this.#flow();
  }

  async #finish(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { context, upstream, begun } = this.#parts;
    const { code, reason, status } = this.#ending ?? {
      code: NORMAL,
      reason: '',
      status: 'completed',
    };
    context.ticker.remove(this);
    this.#events.stop();
    await this.#turns.endAll(status);
    upstream.close(NORMAL);
    this.#hangUp(code, reason);
    context.health.finished(begun, status !== 'upstream_disconnected');
  }

  /** A thread that ends waits until the client has read the reason. */
  #hangUp(code: number, reason: string): void {
    if (this.#socket === undefined) return;
    this.#isHangingUp = true;
    this.#socket.listener.inFlight += 1;
    this.#socket.end(code, reason);
  }

  #send(frame: Buffer): void {
    if (this.#socket?.sendText(frame) === false) this.#flow();
  }

  #sendError(refusal: Refusal, answersLast: boolean): void {
    const { requestId } = new RequestTrace();
    const { conversation } = this.#parts;
    this.#socket?.sendText(conversation.errorEvent(refusal, requestId, answersLast));
  }
}

/** Returns the event in memory of its own, for a step that takes a while. */
function keptEvent(event: TurnEvent): TurnEvent {
  return { ...event, frame: Buffer.from(event.frame) };
}
