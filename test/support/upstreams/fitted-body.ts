import { isRefusal, type Refusal } from '../../../gateway/platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../../gateway/platform/json/json-value.ts';
import { fitRequest } from '../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import type { UpstreamForm } from '../../../gateway/protocols/neutral-form/neutral-form.ts';
import type { NeutralRequest } from '../../../gateway/protocols/neutral-form/request.ts';
import type { Target } from '../../../gateway/protocols/protocol.ts';

/** Returns the body that a target gets: writers write what the fit has left. */
export function fittedBody(
  form: UpstreamForm,
  request: NeutralRequest,
  target: Target,
): OwnJsonObject | Refusal {
  const fitted = fitRequest(request, target.profile);
  return isRefusal(fitted) ? fitted : form.writeRequest(fitted.request, target);
}
