import type { Refusal } from '../../platform/errors/refusal.ts';
import { steadyNowMs } from '../../platform/clock/steady-clock.ts';
import type { Offer } from '../../catalog/catalog.ts';
import type { RealtimeEndpoint } from '../../protocols/realtime.ts';
import { maskUpstreamModel, verdictOn, type Verdict } from '../../providers/verdict.ts';
import { cleanMessage, upstreamMessage } from '../../request-history/upstream-message.ts';
import { openUpstreamSocket } from '../ask-upstream.ts';
import type { RequestTrace } from '../request-trace.ts';
import { applyVerdict } from '../routing/apply-verdict.ts';
import type { BegunAttempt } from '../routing/health/channel-health.ts';
import { RequestFailures } from '../routing/health/request-failures.ts';
import { judgeError } from '../routing/judge-failure.ts';
import { nextCredential, type Choice } from '../routing/next-credential.ts';
import { nextRoute } from '../routing/next-route.ts';
import { refuseNoChannel } from '../routing/refuse-no-channel.ts';
import type { ServedRoute } from '../routing/served-routes.ts';
import type { ThreadContext } from '../thread-context.ts';
import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import type { UpstreamSocket } from '../upstream/upstream-socket.ts';
import { NORMAL } from './session-end.ts';

/** An error of the upstream is read this far. */
const ERROR_BODY_BYTES_MAX = 64 * 1024;

export interface ConnectParts {
  readonly context: ThreadContext;
  readonly trace: RequestTrace;
  readonly offer: Offer;
  readonly accountId: string;
  readonly routes: readonly ServedRoute[];
  readonly sessions: RealtimeEndpoint;
  /** A header of the client's request; '' when absent. */
  readonly header: (lowerCaseName: string) => string;
  readonly isGone: () => boolean;
}

/** An upstream that serves the session: its first event has come. */
export interface Connected {
  readonly socket: UpstreamSocket;
  readonly route: ServedRoute;
  readonly begun: BegunAttempt;
  readonly first: Buffer;
}

/**
 * Steps 4 and 5 for a session: channels are tried until one sends its first event. From then on the
 * session stays there.
 */
export async function connectUpstream(parts: ConnectParts): Promise<Connected | Refusal> {
  const { context, trace, offer, routes, accountId } = parts;
  const { health, counters, config } = context;
  const tried: string[] = [];
  const choice: Choice = { health, accountId, tried, conversation: null };
  const failures = new RequestFailures(health, Buffer.from(trace.requestId));
  let verdict: Verdict | undefined;
  for (let number = 1; number <= config.upstreamAttemptsMax && !parts.isGone(); number += 1) {
    const route = nextRoute(routes, choice);
    if (route === undefined) break;
    const credential = nextCredential(route, choice);
    const begun = health.started(route, { credential, accountId });
    const opened = await open(route, credential, parts).catch((error: unknown) => {
      health.finished(begun, false);
      throw error;
    });
    counters.attempted(route.channel.id, !('socket' in opened));
    if ('socket' in opened) {
      health.onHeaders(begun);
      health.onFirstContent(begun);
      failures.served();
      return { ...opened, route, begun };
    }
    health.finished(begun, false);
    ({ verdict } = opened);
    verdict = maskUpstreamModel(verdict, route.upstreamModel, offer.model.publicId);
    note(opened, { parts, route, number, verdict });
    const failed = { route, credential, begun, verdict, replied: opened.status !== null };
    applyVerdict(failed, { health, tried, failures, accountId, isBound: false });
    if (!verdict.failover) break;
  }
  failures.ended();
  return verdict?.refusal ?? refuseNoChannel(offer, { routes, health, accountId });
}

interface NotOpened {
  readonly verdict: Verdict;
  readonly status: number | null;
  readonly failure: string | null;
  readonly message: string | null;
  readonly startedAtMs: number;
}

async function open(
  route: ServedRoute,
  credential: string | null,
  { context, sessions, header, trace }: ConnectParts,
): Promise<Pick<Connected, 'socket' | 'first'> | NotOpened> {
  const startedAtMs = steadyNowMs();
  trace.attemptBegins(startedAtMs);
  const { channel, provider } = route;
  const failed = (failure: UpstreamFailure): NotOpened => ({
    verdict: verdictOn(failure, provider),
    ...{ status: null, failure: failure.failed, startedAtMs },
    message: cleanMessage(failure.detail, { credential, body: null }),
  });
  const reply = await openUpstreamSocket(
    context,
    { channel, provider, credential },
    {
      path: route.path,
      headers: sessions.upstreamHeaders(header, route.upstreamModel),
      messageBytesMax: context.config.realtimeEventBytesMax,
      errorBytesMax: ERROR_BODY_BYTES_MAX,
    },
  );
  if ('failed' in reply) return failed(reply);
  if ('status' in reply) {
    const { status, body } = reply;
    const message = upstreamMessage(status, body, { credential, body: null });
    // A status of success is none for a WebSocket.
    const isError = status >= 300;
    const verdict = isError
      ? judgeError({ route, stored: null }, reply, body)
      : verdictOn({ failed: 'bad_reply', detail: '' }, provider);
    return { verdict, status, failure: isError ? null : 'bad_reply', message, startedAtMs };
  }
  const first = await firstMessage(reply.socket, channel.timeouts.firstByteMs);
  if (!Buffer.isBuffer(first)) {
    reply.socket.close(NORMAL);
    return failed(first);
  }
  if (!sessions.isFailure(first)) return { socket: reply.socket, first };
  reply.socket.close(NORMAL);
  const detail = 'the upstream began the session with an error';
  return failed({ failed: 'bad_reply', detail, body: first });
}

function firstMessage(socket: UpstreamSocket, waitMs: number): Promise<Buffer | UpstreamFailure> {
  return new Promise((resolve) => {
    const detail = `no event within ${waitMs} ms`;
    const timer = setTimeout(() => resolve({ failed: 'first_byte_timeout', detail }), waitMs);
    socket.attach({
      message: (frame) => {
        socket.pause();
        clearTimeout(timer);
        resolve(Buffer.from(frame));
      },
      writable: () => undefined,
      ended: ({ code, reason }) => {
        clearTimeout(timer);
        const closed = `closed before the first event: ${code} ${reason}`;
        resolve({ failed: 'connection_broke', detail: closed });
      },
    });
  });
}

function note(
  { status, failure, message, startedAtMs }: NotOpened,
  attempt: {
    readonly parts: ConnectParts;
    readonly route: ServedRoute;
    readonly number: number;
    readonly verdict: Verdict;
  },
): void {
  const { parts, route, number, verdict } = attempt;
  const { trace, context } = parts;
  trace.upstreamFailure = status === null ? `${failure}: ${message}` : `status ${status}`;
  trace.refusalMessage = cleanMessage(verdict.refusal.message);
  trace.attemptFailed({
    number,
    channelId: route.channel.id,
    place: route.place,
    upstreamStatus: status,
    ...{ failure, message, startedMs: startedAtMs - trace.startedAtMs },
    durationMs: steadyNowMs() - startedAtMs,
  });
  if (verdict.scope === 'request' || verdict.health === 'limited') return;
  context.health.noteFailure(route.channel.id, { httpStatus: status, message: message ?? '' });
}
