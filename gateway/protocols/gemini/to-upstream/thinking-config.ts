import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { Effort, NeutralRequest } from '../../neutral-form/request.ts';
import type { TargetProfile } from '../../target-profile.ts';

/** Budgets of thinking tokens, as Google's documentation of its OpenAI-compatible path has them. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** A budget below 0 leaves it to the model. */
const DYNAMIC_BUDGET = -1;

type Thinking = Pick<NeutralRequest, 'effort' | 'reasoningTokensMax' | 'reasoningText'>;

/**
 * Returns `thinkingConfig`; undefined for models that do not think. Thoughts are asked for unless
 * the client wants none: they cost the same unseen.
 */
export function thinkingConfig(
  request: Thinking,
  { thinking, thinkingTokens, efforts }: TargetProfile,
): JsonObject | undefined {
  if (thinking === 'none') return undefined;
  const amount =
    thinking === 'budget'
      ? { thinkingBudget: budgetOf(request, thinkingTokens, efforts) }
      : { thinkingLevel: levelOf(request.effort) };
  return { includeThoughts: request.reasoningText !== false, ...amount };
}

/** The least level stands for no thinking, which no model with levels knows. */
function levelOf(effort: Effort | undefined): string | undefined {
  return effort === 'none' ? 'MINIMAL' : effort?.toUpperCase();
}

function budgetOf(
  { effort, reasoningTokensMax }: Thinking,
  limits: TargetProfile['thinkingTokens'],
  efforts: readonly Effort[],
): number | undefined {
  const budget = reasoningTokensMax ?? (effort === undefined ? undefined : BUDGETS[effort]);
  if (budget === undefined || limits === null) return budget;
  if (budget < 0) return DYNAMIC_BUDGET;
  if (budget === 0 && efforts.includes('none')) return 0;
  return Math.min(Math.max(budget, limits.min), limits.max);
}
