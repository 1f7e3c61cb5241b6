import type { TokenCounts, UsageStatus } from '@weir/shared/watch/usage-record';
import { ledgerNowMs } from '../platform/clock/store-clock.ts';
import { steadyNowMs } from '../platform/clock/steady-clock.ts';
import type { Principal } from './authentication/principal.ts';
import type { Billing } from './billing/billing.ts';
import type { ContentRecording } from './content-log/content-recording.ts';
import { newRequestId } from '../platform/ids/request-id.ts';
import type { FailedAttempt, RequestSummary } from '../platform/telemetry/request-log.ts';
import type { ParsedRequest } from '../protocols/protocol.ts';

/** The id and times of a request from its arrival on. */
export type RequestIdentity = Pick<RequestTrace, 'requestId' | 'createdAtMs' | 'startedAtMs'>;

/**
 * Follows one request for its line in the log, the request history and the counters. It is written
 * along the path and read when the request is over; apart from the request's identity, no decision
 * depends on it.
 */
export class RequestTrace implements RequestSummary {
  readonly startedAtMs = steadyNowMs();
  readonly createdAtMs = ledgerNowMs();
  readonly requestId = newRequestId(this.createdAtMs);
  principal: Principal | null = null;
  request: ParsedRequest | null = null;
  billing: Billing | null = null;
  /** The content of a request whose key has a content log. */
  recording: ContentRecording | null = null;
  httpStatus = 0;
  refused: string | null = null;
  upstreamFailure: string | null = null;
  protocol: string | null = null;
  refusalMessage: string | null = null;
  failedAttempts: FailedAttempt[] | null = null;
  unauthenticated: RequestSummary['unauthenticated'] = null;
  holdFromMs: number | null = null;
  heldMs: number | null = null;
  attemptFromMs: number | null = null;
  settleFromMs: number | null = null;

  holdBegins(): void {
    this.holdFromMs = this.#elapsedMs();
  }

  holdEnds(): void {
    this.heldMs = this.#elapsedMs();
  }

  /** @param atMs on the steady clock */
  attemptBegins(atMs: number): void {
    this.attemptFromMs = atMs - this.startedAtMs;
  }

  settleBegins(): void {
    this.settleFromMs = this.#elapsedMs();
  }

  /** A small integer, which is no object of its own in memory, as a time since 1970 is. */
  #elapsedMs(): number {
    return steadyNowMs() - this.startedAtMs;
  }

  get model(): string | null {
    return this.request?.model ?? null;
  }

  get stream(): boolean {
    return this.request?.stream === true;
  }

  get channelId(): string | null {
    return this.billing?.lastRoute?.channel.id ?? null;
  }

  get place(): string | null {
    return this.billing?.lastRoute?.place ?? null;
  }

  get attempts(): number {
    return this.billing?.attempts ?? 0;
  }

  attemptFailed(attempt: FailedAttempt): void {
    this.failedAttempts ??= [];
    this.failedAttempts.push(attempt);
  }

  /** The status for the log; a request that is not billed is `completed` if it was served. */
  get status(): UsageStatus {
    if (this.billing !== null) return this.billing.status;
    return this.httpStatus === 200 && this.refused === null ? 'completed' : 'failed';
  }

  get firstByteAtMs(): number | null {
    return this.billing?.firstByteAtMs ?? null;
  }

  get tokens(): TokenCounts | null {
    return this.billing?.tokens ?? null;
  }

  get estimated(): boolean {
    return this.billing?.estimated === true;
  }

  get capped(): boolean {
    return this.billing?.capped === true;
  }

  get costNanoUsd(): number {
    return this.billing?.costNanoUsd ?? 0;
  }
}
