import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';

/** Takes what comes of a body. */
export interface BodySink {
  data(chunk: Buffer): void;
  end(): void;
  failure(failure: UpstreamFailure): void;
}

/** The body of an upstream's reply, as the relay uses it. */
export interface UpstreamBody {
  attach(sink: BodySink): void;
  pause(): void;
  resume(): void;
  /** From here on the sink uses each chunk before it returns, and keeps none. */
  lend(): void;
}
