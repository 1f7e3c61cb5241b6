import { isRefusal } from '../../gateway/platform/errors/refusal.ts';
import { fitFormat } from '../../gateway/protocols/neutral-form/fit/fit-format.ts';
import { fitParameters } from '../../gateway/protocols/neutral-form/fit/fit-parameters.ts';
import { fitReasoning } from '../../gateway/protocols/neutral-form/fit/fit-reasoning.ts';
import { fitToolChoice } from '../../gateway/protocols/neutral-form/fit/fit-tool-choice.ts';
import type { NeutralRequest } from '../../gateway/protocols/neutral-form/request.ts';
import type { TargetProfile } from '../../gateway/protocols/target-profile.ts';

/**
 * A request whose advice is as its target takes it, and whose messages are as they were: for tests
 * of what a protocol writes.
 */
export function adviceFitted(request: NeutralRequest, profile: TargetProfile): NeutralRequest {
  return [fitReasoning, fitFormat, fitToolChoice, fitParameters].reduce((fitted, step) => {
    const result = step(fitted, profile);
    if (isRefusal(result)) throw new Error(result.message);
    return result.request;
  }, request);
}
