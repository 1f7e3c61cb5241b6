import { findMember } from '../../../platform/json/scan-members.ts';
import type { TargetProfile } from '../../target-profile.ts';
import type { ChatRequest } from '../parse-request.ts';

/**
 * Whether a request has stop sequences that its model is known not to take: OpenAI's reasoning
 * models take none, and most others four.
 */
export function stopsBeyond(
  { bytes, members }: ChatRequest,
  { familyKnown, stopSequencesMax }: TargetProfile,
): boolean {
  if (!familyKnown) return false;
  const member = findMember(bytes, members, 'stop');
  if (member === -1) return false;
  const start = members.offsets[member * 4 + 2] ?? 0;
  const end = members.offsets[member * 4 + 3] ?? 0;
  const stop = JSON.parse(bytes.toString('utf8', start, end)) as unknown;
  const count = Array.isArray(stop) ? stop.length : typeof stop === 'string' ? 1 : 0;
  return count > stopSequencesMax;
}
