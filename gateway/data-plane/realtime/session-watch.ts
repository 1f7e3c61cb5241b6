import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { RealtimeTurn } from '../../protocols/realtime.ts';
import type { ClientSocket } from '../http/client-socket.ts';
import type { ServedRoute } from '../routing/served-routes.ts';
import type { UpstreamSocket } from '../upstream/upstream-socket.ts';
import type { SessionTurns } from './session-turns.ts';

/** Proxies close connections on which nothing moves for a minute. */
const PING_MS = 25_000;
/** A client that has taken so little for so long is cut off. */
const CLIENT_STALL_MS_MAX = 60_000;

interface Watched {
  readonly upstream: UpstreamSocket;
  readonly route: ServedRoute;
}

/** The parts of a session that no longer move. */
export interface Stuck {
  readonly client: boolean;
  /** The reason why the session ends; undefined while its upstream moves. */
  readonly upstream: Refusal | undefined;
  /** Turns that the upstream has not begun. */
  readonly unbegun: readonly RealtimeTurn[];
}

const SILENT = refuse(
  'upstream_timeout',
  'The upstream has stopped in the middle of a reply. Open another session.',
);

/** Keeps both connections of a session alive, and notices when one of them no longer moves. */
export class SessionWatch {
  readonly #watched: Watched;
  #pingedAtMs = steadyNowMs();
  #heardAtMs = steadyNowMs();
  #hasHeard = false;
  #stalledSinceMs = 0;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** The upstream has sent something. */
  heard(): void {
    this.#hasHeard = true;
  }

  tick(nowMs: number, socket: ClientSocket | undefined, turns: SessionTurns): Stuck {
    const { upstream, route } = this.#watched;
    if (nowMs - this.#pingedAtMs >= PING_MS) {
      this.#pingedAtMs = nowMs;
      socket?.ping();
      upstream.ping();
    }
    const isFlowing = socket?.isFlowing !== false;
    if (isFlowing) this.#stalledSinceMs = 0;
    else if (this.#stalledSinceMs === 0) this.#stalledSinceMs = nowMs;
    const { idleMs } = route.channel.timeouts;
    // While it is not read, the upstream cannot be heard.
    const isUnread = !isFlowing || turns.mustWait;
    if (this.#hasHeard || isUnread || turns.size === 0) this.#heardAtMs = nowMs;
    this.#hasHeard = false;
    const unbegun = turns.unbegunSince(nowMs - idleMs);
    const isSilent = turns.size > unbegun.length && nowMs - this.#heardAtMs >= idleMs;
    return {
      client: !isFlowing && nowMs - this.#stalledSinceMs >= CLIENT_STALL_MS_MAX,
      upstream: isSilent ? SILENT : undefined,
      unbegun,
    };
  }
}
