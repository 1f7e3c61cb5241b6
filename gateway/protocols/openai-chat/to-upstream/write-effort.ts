import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { Effort } from '../../neutral-form/request.ts';
import type { TargetProfile } from '../../target-profile.ts';

/** Returns the member that says how much to think, in the field that the target has for it. */
export function writeEffort(
  effort: Effort | undefined,
  { effortField }: TargetProfile,
): OwnJsonObject {
  if (effort === undefined) return {};
  const isOn = effort !== 'none';
  switch (effortField) {
    case 'reasoning_effort':
      return { reasoning_effort: effort };
    case 'reasoning':
      return { reasoning: { effort } };
    case 'thinking':
      return { thinking: { type: isOn ? 'enabled' : 'disabled' } };
    case 'thinking_with_effort':
      return isOn
        ? { thinking: { type: 'enabled' }, reasoning_effort: effort }
        : { thinking: { type: 'disabled' } };
    case 'reasoning_enabled':
      return { reasoning: { enabled: isOn } };
    case 'enable_thinking':
      return { enable_thinking: isOn };
  }
}
