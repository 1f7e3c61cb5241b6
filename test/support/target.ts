import type { Target } from '../../gateway/protocols/protocol.ts';

/** A channel that calls the model "upstream" and wants nothing else. */
export function targetOf(target: Partial<Target> = {}): Target {
  return {
    upstreamModel: 'upstream',
    outputLimitField: null,
    omittedFields: [],
    outputTokensMax: 4_096,
    outputTokensCap: null,
    allocate: (bytes) => Buffer.allocUnsafe(bytes),
    ...target,
  };
}
