import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { TargetProfile } from '../../target-profile.ts';
import type { NeutralField, NeutralRequest } from '../request.ts';
import { fitCallIds } from './names/fit-call-ids.ts';
import { fitConversation } from './conversation/fit-conversation.ts';
import { fitFormat } from './fit-format.ts';
import { fitInputs } from './conversation/fit-inputs.ts';
import { fitMedia } from './conversation/fit-media.ts';
import { fitNames } from './names/fit-names.ts';
import { fitParts } from './conversation/fit-parts.ts';
import { fitParameters } from './fit-parameters.ts';
import { fitReasoning } from './fit-reasoning.ts';
import { fitResults } from './conversation/fit-results.ts';
import { fitSchemas } from './fit-schemas.ts';
import { fitSignatures } from './conversation/fit-signatures.ts';
import { fitToolChoice } from './fit-tool-choice.ts';
import type { FittedRequest, Restoration } from './fitted-request.ts';

/** The result of one step of the fit. */
export interface FitStep {
  readonly request: NeutralRequest;
  readonly leftOut?: readonly NeutralField[];
  readonly restoration?: Restoration;
  /** The request reads alike, and the writer makes something else of it for this target. */
  readonly isRewritten?: boolean;
}

/** Brings one side of a request into the form that a target takes, or refuses it by name. */
export type Fit = (request: NeutralRequest, profile: TargetProfile) => FitStep | Refusal;

/** In this order: a later step may rely on what an earlier one has done. */
const STEPS: readonly Fit[] = [
  fitParts,
  fitResults,
  fitInputs,
  fitReasoning,
  fitFormat,
  fitToolChoice,
  fitParameters,
  // Behind the format, which may be a tool that Weir adds.
  fitSchemas,
  fitNames,
  fitCallIds,
  fitMedia,
  fitConversation,
  fitSignatures,
];

/**
 * Returns a request as its target takes it. What is advice is brought to the nearest value or left
 * out; a refusal names the field without which the request would mean something else.
 */
export function fitRequest(
  request: NeutralRequest,
  profile: TargetProfile,
): FittedRequest | Refusal {
  let fitted = request;
  const leftOut: NeutralField[] = [];
  let restoration: Restoration | undefined;
  let isChanged = false;
  for (const step of STEPS) {
    const result = step(fitted, profile);
    if (isRefusal(result)) return result;
    isChanged ||= result.request !== fitted || result.isRewritten === true;
    fitted = result.request;
    if (result.leftOut !== undefined) leftOut.push(...result.leftOut);
    restoration = joined(restoration, result.restoration);
  }
  return { request: fitted, isChanged, leftOut, restoration: restoration ?? null };
}

function joined(one: Restoration | undefined, other: Restoration | undefined) {
  return one === undefined || other === undefined ? (one ?? other) : { ...one, ...other };
}
