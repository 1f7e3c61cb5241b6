import { memberValue } from '../../../platform/json/scan-members.ts';
import { EFFORTS, mustNotThink } from '../../neutral-form/fit/fit-reasoning.ts';
import type { TargetProfile } from '../../target-profile.ts';
import type { ChatRequest } from './parse-request.ts';

/** Reports whether a request has tools with which its model does not think on chat completions. */
export function mustNotThinkInChat(request: ChatRequest, profile: TargetProfile): boolean {
  if (!request.hasTools || !profile.familyKnown) return false;
  const sent = memberValue(request, 'reasoning_effort');
  const asked = EFFORTS.find((effort) => effort === sent);
  return asked !== 'none' && mustNotThink(asked, profile);
}
