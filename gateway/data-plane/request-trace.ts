import type { TokenCounts, UsageStatus } from '@weir/shared/usage-record';
import type { Principal } from './authentication/principal.ts';
import { newRequestId } from '../platform/ids/request-id.ts';

/** What a request leaves behind: filled in on its way, read by the bill, the log line and the counters. */
export class RequestTrace {
  readonly startedAtMs = Date.now();
  readonly requestId = newRequestId(this.startedAtMs);
  principal: Principal | null = null;
  model: string | null = null;
  stream = false;
  channelId: string | null = null;
  attempts = 0;
  /** `failed` until something billable has reached the client. */
  status: UsageStatus = 'failed';
  /** What the client saw; 0 when it left before a status was sent. */
  httpStatus = 0;
  firstByteAtMs: number | null = null;
  tokens: TokenCounts | null = null;
  estimated = false;
  capped = false;
  costNanoUsd = 0;
  /** The catalogue's code of a refusal. */
  refused: string | null = null;
  /** Why the last upstream attempt failed, in words for the operator. */
  upstreamFailure: string | null = null;
}
