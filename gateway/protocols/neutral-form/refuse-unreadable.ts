import type { Refusal } from '../../platform/errors/refusal.ts';
import { invalidValue } from '../fields/field-faults.ts';
import type { NeutralRequest } from './request.ts';

/**
 * Refuses what a reply in the neutral form has no place for: several choices, and log
 * probabilities.
 * @param noLogprobs says what the upstream has of log probabilities
 */
export function refuseUnreadable(
  { choices, logprobs }: NeutralRequest,
  noLogprobs = 'The upstream of this model has no log probabilities. Leave them out.',
): Refusal | undefined {
  if (choices > 1) {
    return invalidValue(
      'n',
      'The upstream of this model gives one reply to a request. Ask for one, or send the request several times.',
    );
  }
  return logprobs === undefined ? undefined : invalidValue('logprobs', noLogprobs);
}
