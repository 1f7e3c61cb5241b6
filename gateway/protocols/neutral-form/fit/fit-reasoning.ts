import type { TargetProfile } from '../../target-profile.ts';
import type { Effort, NeutralField, NeutralRequest } from '../request.ts';
import type { FitStep } from './fit-request.ts';

/** From no thinking to as much as the model can. */
export const EFFORTS: readonly Effort[] = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
];
const HIGH = EFFORTS.indexOf('high');
/** Larger than any distance: what is divided by it decides between equal distances alone. */
const TIE_BREAK = 100;

/**
 * Returns the accepted word that comes nearest to an effort; of two equally near ones the one
 * towards `high`, since an effort beyond it costs a multiple. No effort becomes `none`, unless the
 * model has no other word. Undefined where the target takes no effort.
 */
export function nearestEffort(accepted: readonly Effort[], wanted: Effort): Effort | undefined {
  if (accepted.includes(wanted)) return wanted;
  const at = EFFORTS.indexOf(wanted);
  const thinking = accepted.filter((effort) => effort !== 'none');
  let nearest: Effort | undefined;
  let least = Infinity;
  for (const effort of thinking) {
    const index = EFFORTS.indexOf(effort);
    const distance = Math.abs(index - at) + Math.abs(index - HIGH) / TIE_BREAK;
    if (distance >= least) continue;
    nearest = effort;
    least = distance;
  }
  return nearest ?? accepted[0];
}

/** Budgets up to these many tokens; a larger one is a high effort. */
const EFFORT_BUDGETS: readonly (readonly [number, Effort])[] = [
  [0, 'none'],
  [2_048, 'low'],
  [12_288, 'medium'],
];

/**
 * Returns the effort that a budget of thinking tokens comes near to. A budget below 0 leaves it to
 * the model, which is a medium effort for those that take words.
 */
export function effortOfBudget(tokens: number): Effort {
  if (tokens < 0) return 'medium';
  return EFFORT_BUDGETS.find(([most]) => tokens <= most)?.[1] ?? 'high';
}

/** The effort that a request asks for, in words or as a budget. */
export function askedEffort({ effort, reasoningTokensMax }: NeutralRequest): Effort | undefined {
  return (
    effort ?? (reasoningTokensMax === undefined ? undefined : effortOfBudget(reasoningTokensMax))
  );
}

/** Reports whether the target will think about a fitted request. */
export function thinks(request: NeutralRequest, profile: TargetProfile): boolean {
  if (profile.thinking === 'none') return false;
  const asked = askedEffort(request);
  return asked === undefined ? profile.thinksByDefault : asked !== 'none';
}

/**
 * Fits the amount of thinking to the target: an effort in its words, a budget, or none. All of it
 * is advisory.
 */
export function fitReasoning(request: NeutralRequest, profile: TargetProfile): FitStep {
  const { effort, reasoningTokensMax } = request;
  const asked = askedEffort(request);
  const hasTools = request.tools.length > 0;
  if (hasTools && mustNotThink(asked, profile)) {
    return asked === 'none'
      ? { request }
      : withEffort(request, 'none', { isLeftOut: asked !== undefined });
  }
  if (profile.thinking === 'none') return withoutThinking(request, asked);
  if (asked === undefined) return { request };
  // The writer makes a budget of an effort: its limits depend on the room for output.
  if (profile.thinking === 'budget') {
    return { request, isRewritten: effort !== undefined || isOutside(reasoningTokensMax, profile) };
  }
  const { efforts, thinksByDefault } = profile;
  // A model that thinks only on request needs no instruction not to.
  const isSaid = asked !== 'none' || thinksByDefault || efforts.includes('none');
  const fitting = isSaid ? nearestEffort(efforts, asked) : undefined;
  if (fitting === effort && reasoningTokensMax === undefined) return { request };
  return withEffort(request, fitting, { isLeftOut: isSaid && fitting === undefined });
}

/** Reports whether a request with tools and this effort has to switch thinking off. */
export function mustNotThink(
  asked: Effort | undefined,
  { thinking, effortWithTools }: TargetProfile,
): boolean {
  if (thinking === 'none' || effortWithTools === 'accepted') return false;
  return effortWithTools === 'none' || asked !== undefined;
}

/** Reports whether thinking would be switched off for a request that does not say so. */
export function mustNotThinkAbout(request: NeutralRequest, profile: TargetProfile): boolean {
  const asked = askedEffort(request);
  return request.tools.length > 0 && asked !== 'none' && mustNotThink(asked, profile);
}

/** Models that do not think refuse the wish to see their thoughts, too. */
function withoutThinking(request: NeutralRequest, asked: Effort | undefined): FitStep {
  const silent =
    request.reasoningText === true ? { ...request, reasoningText: undefined } : request;
  return asked === undefined
    ? { request: silent }
    : withEffort(silent, undefined, { isLeftOut: true });
}

function isOutside(
  budget: number | undefined,
  { thinkingTokens, efforts }: TargetProfile,
): boolean {
  if (budget === undefined || budget < 0 || thinkingTokens === null) return false;
  if (budget === 0) return !efforts.includes('none');
  return budget < thinkingTokens.min || budget > thinkingTokens.max;
}

function withEffort(
  request: NeutralRequest,
  effort: Effort | undefined,
  { isLeftOut }: { readonly isLeftOut: boolean },
): FitStep {
  const asked: NeutralField = request.effort === undefined ? 'reasoningTokensMax' : 'effort';
  return {
    request: { ...request, effort, reasoningTokensMax: undefined },
    leftOut: isLeftOut ? [asked] : [],
  };
}
