import type { UpstreamFailure } from '../errors/upstream-failure.ts';

/** The body of an upstream's reply, as the relay uses it. */
export interface UpstreamBody {
  attach(sink: {
    data(chunk: Buffer): void;
    end(): void;
    failure(failure: UpstreamFailure): void;
  }): void;
  pause(): void;
  resume(): void;
}
