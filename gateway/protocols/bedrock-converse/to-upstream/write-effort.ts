import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { NeutralRequest } from '../../neutral-form/request.ts';
import type { TargetProfile } from '../../target-profile.ts';

/** Returns the model's own field for the effort, which the fit has brought to one of its words. */
export function writeEffort(
  { effort }: NeutralRequest,
  { additionalEffortField }: TargetProfile,
): OwnJsonObject {
  if (effort === undefined || additionalEffortField === null) return {};
  switch (additionalEffortField) {
    case 'reasoning_effort':
    case 'reasoning_config':
      return { [additionalEffortField]: effort };
    case 'reasoning':
      return { reasoning: { effort } };
    case 'reasoningConfig':
      return effort === 'none'
        ? { reasoningConfig: { type: 'disabled' } }
        : { reasoningConfig: { type: 'enabled', maxReasoningEffort: effort } };
  }
}
