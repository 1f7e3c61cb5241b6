import type { OwnJsonObject } from '../../platform/json/json-value.ts';
import type { Effort, NeutralMessage, NeutralRequest } from '../neutral-form/request.ts';
import type { TargetProfile } from '../target-profile.ts';
import { isOwn } from './proofs.ts';

/** The least that Anthropic takes as a budget of thinking. */
export const THINKING_TOKENS_MIN = 1_024;

interface Limits {
  readonly profile: TargetProfile;
  /** `max_tokens`, of which thinking is a part. */
  readonly outputTokens: number;
}

/** Returns `thinking` and the effort, as far as they were asked for and the model takes them. */
export function writeThinking(request: NeutralRequest, limits: Limits): OwnJsonObject {
  const { effort, reasoningTokensMax, reasoningText } = request;
  switch (limits.profile.thinking) {
    case 'none':
      return {};
    case 'budget':
      return writeBudget(request, limits);
    case 'effort':
      return effort === undefined ? {} : { output_config: { effort } };
    case 'adaptive': {
      if (effort === undefined && reasoningTokensMax === undefined) return {};
      if (effort === 'none') return { thinking: { type: 'disabled' } };
      const display = reasoningText === false ? 'omitted' : 'summarized';
      return { thinking: { type: 'adaptive', display }, output_config: { effort } };
    }
  }
}

/** Models that are given a budget. */
function writeBudget(request: NeutralRequest, { profile, outputTokens }: Limits): OwnJsonObject {
  const { messages, effort, reasoningTokensMax: asked } = request;
  // Where nothing is said, Claude does not think; other vendors' models do.
  if (effort === 'none' && profile.thinksByDefault) return { thinking: { type: 'disabled' } };
  const wanted = asked ?? (effort === undefined ? 0 : BUDGETS[effort]);
  const { min, max } = profile.thinkingTokens ?? NO_LIMITS;
  const room = Math.min(max, outputTokens - 1);
  if (wanted === 0 || room < min || lacksThinking(messages)) return {};
  const budget = Math.min(wanted < 0 ? BUDGETS.medium : Math.max(wanted, min), room);
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

const NO_LIMITS = { min: THINKING_TOKENS_MIN, max: Infinity };

/**
 * Reports whether the turn under way has calls without the thinking that led to them: these models
 * then refuse to think in it.
 */
function lacksThinking(messages: readonly NeutralMessage[]): boolean {
  if (messages.at(-1)?.role !== 'tool') return false;
  const last = messages.findLast(({ role }) => role === 'assistant');
  return (
    last?.role === 'assistant' &&
    !last.parts.some((part) => part.type === 'reasoning' && isOwn(part.proof))
  );
}

const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 63_999,
};
