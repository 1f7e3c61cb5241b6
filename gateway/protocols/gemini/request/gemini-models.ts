/** What Google's models take, told by the name under which an upstream has them. */
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { Effort, ExchangeRequest } from '../../exchange-form/request.ts';

/** Gemini 3 and later: thinking by level, and calls that come back must be signed. */
export function wantsSignatures(upstreamModel: string): boolean {
  return /gemini-(?:[3-9]|\d\d)/.test(upstreamModel);
}

/** Gemini 2.5 and later think, but for those that draw or speak. */
function thinks(upstreamModel: string): boolean {
  return /gemini-(?:2\.5|[3-9]|\d\d)/.test(upstreamModel) && !/image|tts|audio/.test(upstreamModel);
}

/** Budgets of thinking tokens; 24,576 is the most that Flash takes. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};
/** The least that Gemini 2.5 Pro takes, which cannot but think. */
const PRO_BUDGET_MIN = 128;

const LEVELS: Readonly<Record<Effort, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};

type Thinking = Pick<ExchangeRequest, 'effort' | 'reasoningTokensMax' | 'reasoningText'>;

/**
 * Returns `thinkingConfig`; undefined for models that do not think. Thoughts are asked for unless
 * the client wants none: they cost the same unseen.
 */
export function thinkingConfig(request: Thinking, upstreamModel: string): JsonObject | undefined {
  if (!thinks(upstreamModel)) return undefined;
  const amount = wantsSignatures(upstreamModel)
    ? { thinkingLevel: levelOf(request, upstreamModel) }
    : { thinkingBudget: budgetOf(request, upstreamModel) };
  return { includeThoughts: request.reasoningText !== false, ...amount };
}

function levelOf({ effort, reasoningTokensMax: budget }: Thinking, model: string) {
  const wanted = effort ?? (budget === undefined ? undefined : effortOfBudget(budget));
  if (wanted === undefined) return undefined;
  const level = LEVELS[wanted];
  // Pro cannot but think.
  return level === 'MINIMAL' && model.includes('pro') ? 'LOW' : level;
}

function effortOfBudget(budget: number): Effort {
  const efforts = ['none', 'low', 'medium'] as const;
  return efforts.find((effort) => budget <= BUDGETS[effort]) ?? 'high';
}

function budgetOf({ effort, reasoningTokensMax }: Thinking, model: string): number | undefined {
  const budget = reasoningTokensMax ?? (effort === undefined ? undefined : BUDGETS[effort]);
  if (budget === undefined) return undefined;
  const least = model.includes('pro') ? PRO_BUDGET_MIN : 0;
  return Math.min(Math.max(budget, least), BUDGETS.max);
}
