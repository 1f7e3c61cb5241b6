import type { AssistantPart } from '../../request.ts';
import type { Fit } from '../fit-request.ts';

/**
 * Says whether a target that wants calls signed gets the stand-in for a signature, which its
 * protocol's writer puts on the first call of a turn.
 */
export const fitSignatures: Fit = (request, { signedCalls }) => ({
  request,
  isRewritten:
    signedCalls &&
    request.messages.some(({ role, parts }) => role === 'assistant' && lacksSignature(parts)),
});

/** A thought's signature goes on what the thought led to. */
function lacksSignature(parts: readonly AssistantPart[]): boolean {
  const first = parts.findIndex(({ type }) => type === 'tool_call');
  if (first === -1) return false;
  return parts[first]?.proof === undefined && parts[first - 1]?.proof === undefined;
}
