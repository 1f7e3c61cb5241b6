import { isRefusal, refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { RealtimeConversation, RealtimeTurn } from '../../protocols/realtime.ts';
import type { ThreadContext } from '../thread-context.ts';
import type { UpstreamSocket } from '../upstream/upstream-socket.ts';
import { ClientInbox } from './client-inbox.ts';
import { endsSession } from './session-end.ts';
import type { SessionTurns } from './session-turns.ts';

/** An upstream that takes less than this is slower than its client. */
const UPSTREAM_BUFFERED_BYTES_MAX = 256 * 1024;

/** Replies and transcripts of one session that are under way. */
const TURNS_MAX = 32;

const STOPPING = refuse('shutting_down', 'The gateway is restarting.');
const TOO_MANY = refuse(
  'concurrency_limit_exceeded',
  `${TURNS_MAX} replies of this session are under way. Wait until one has ended.`,
  { retryAfterMs: 1_000 },
);

interface Passing {
  readonly context: ThreadContext;
  readonly upstream: UpstreamSocket;
  readonly conversation: RealtimeConversation;
  readonly accountId: string;
}

interface Outcomes {
  /** @param answersLast the latest event that the conversation has read is refused */
  refused(refusal: Refusal, answersLast: boolean): void;
  broken(error: unknown): void;
  /** @param isSaid the client has the refusal as an error */
  mayNotGoOn(refusal: Refusal, isSaid: boolean): void;
}

/**
 * Passes a client's events to the upstream, in their order. One that asks for a reply waits for its
 * money, and all that follow wait behind it.
 */
export class ClientEvents {
  readonly #parts: Passing;
  readonly #turns: SessionTurns;
  readonly #outcomes: Outcomes;
  readonly #inbox: ClientInbox;
  #isAsking = false;
  #isStopped = false;
  /** The gateway is stopping. */
  refusesReplies = false;

  constructor(parts: Passing, turns: SessionTurns, outcomes: Outcomes) {
    this.#parts = parts;
    this.#turns = turns;
    this.#outcomes = outcomes;
    this.#inbox = new ClientInbox(parts.context.bodyLimits.quota, parts.accountId);
  }

  /** @param lent its memory is used again as soon as this returns */
  add(lent: Buffer): void {
    const { realtimeEventBytesMax: bytesMax } = this.#parts.context.config;
    if (lent.length > bytesMax) {
      const message = `The event is larger than ${bytesMax} bytes. Send sound in smaller parts.`;
      this.#outcomes.refused(refuse('request_too_large', message), false);
      return;
    }
    if (this.#inbox.isEmpty && this.#mayPass) {
      this.#pass(lent);
      return;
    }
    const refused = this.#inbox.add(Buffer.from(lent));
    if (refused !== undefined) this.#outcomes.mayNotGoOn(refused, false);
  }

  /** Passes events on until one has to wait. */
  passOn(): void {
    if (this.#inbox.isEmpty) return;
    this.#parts.upstream.sendTogether(() => {
      while (this.#mayPass) {
        const frame = this.#inbox.take();
        if (frame === undefined) return;
        this.#pass(frame);
      }
    });
  }

  get #mayPass(): boolean {
    const { bufferedBytes } = this.#parts.upstream;
    return !this.#isAsking && !this.#isStopped && bufferedBytes < UPSTREAM_BUFFERED_BYTES_MAX;
  }

  /** Passes nothing any more. */
  stop(): void {
    this.#isStopped = true;
    this.#inbox.clear();
  }

  #pass(frame: Buffer): void {
    const { conversation, upstream } = this.#parts;
    const event = conversation.fromClient(frame);
    if (isRefusal(event)) this.#outcomes.refused(event, true);
    else if (event.kind === 'passes') upstream.sendText(event.frame);
    else if (this.refusesReplies || this.#turns.size >= TURNS_MAX) {
      conversation.withdraw(event.turn);
      this.#outcomes.refused(this.refusesReplies ? STOPPING : TOO_MANY, true);
    } else {
      this.#isAsking = true;
      void this.#ask(event.turn, event.frameWith)
        .catch((error: unknown) => this.#outcomes.broken(error))
        .finally(() => {
          this.#isAsking = false;
          this.passOn();
        });
    }
  }

  async #ask(
    turn: RealtimeTurn,
    frameWith: (outputTokensCap: number | null) => Buffer,
  ): Promise<void> {
    const { conversation, upstream } = this.#parts;
    const bill = await this.#turns.hold(turn);
    if (isRefusal(bill)) {
      conversation.withdraw(turn);
      this.#outcomes.refused(bill, true);
      if (endsSession(bill)) this.#outcomes.mayNotGoOn(bill, true);
    } else if (this.#isStopped) {
      await this.#turns.end(turn, 'completed');
    } else {
      bill.sent();
      upstream.sendText(frameWith(bill.outputTokensCap));
    }
  }
}
