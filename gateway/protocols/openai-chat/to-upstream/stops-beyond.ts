import { memberValue } from '../../../platform/json/scan-members.ts';
import type { TargetProfile } from '../../target-profile.ts';
import type { ChatRequest } from '../from-client/parse-request.ts';

/**
 * Reports whether a request has stop sequences that its model is known not to take: OpenAI's
 * reasoning models take none, and most others four.
 */
export function stopsBeyond(
  request: ChatRequest,
  { familyKnown, stopSequencesMax }: TargetProfile,
): boolean {
  if (!familyKnown) return false;
  const stop = memberValue(request, 'stop');
  const count = Array.isArray(stop) ? stop.length : typeof stop === 'string' ? 1 : 0;
  return count > stopSequencesMax;
}
