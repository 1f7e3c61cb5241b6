import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { Effort, ExchangeMessage, ExchangeRequest } from '../../exchange-form/request.ts';
import { THINKING_TOKENS_MIN } from '../encode-request.ts';
import { isOwn } from '../reply/proofs.ts';
import { alwaysThinks, canThink, thinksAdaptively } from './claude-models.ts';

interface Limits {
  readonly upstreamModel: string;
  /** `max_tokens`, of which thinking is a part. */
  readonly outputTokens: number;
  /** A tool must be called. */
  readonly forced: boolean;
}

/** Returns `thinking` and the effort, as far as they were asked for and the model takes them. */
export function writeThinking(request: ExchangeRequest, limits: Limits): OwnJsonObject {
  const { effort, reasoningTokensMax: budget, reasoningText } = request;
  const { upstreamModel, forced } = limits;
  const asked = effort ?? (budget === undefined ? undefined : effortOfBudget(budget));
  if (asked === undefined || !canThink(upstreamModel)) return {};
  if (!thinksAdaptively(upstreamModel)) return oldThinking(request, asked, limits);
  const always = alwaysThinks(upstreamModel);
  if (asked === 'none') {
    return always ? { output_config: { effort: 'low' } } : { thinking: { type: 'disabled' } };
  }
  const display = reasoningText === false ? 'omitted' : 'summarized';
  return {
    ...(forced ? {} : { thinking: { type: 'adaptive', display } }),
    output_config: { effort: asked === 'minimal' ? 'low' : asked },
  };
}

/** Models that are given a budget. */
function oldThinking(
  { messages, reasoningTokensMax }: ExchangeRequest,
  effort: Effort,
  { outputTokens, forced }: Limits,
): OwnJsonObject {
  const room = outputTokens - 1;
  if (effort === 'none' || forced || room < THINKING_TOKENS_MIN || lacksThinking(messages)) {
    return {};
  }
  const wanted = reasoningTokensMax ?? BUDGETS[effort];
  const budget = Math.min(Math.max(wanted, THINKING_TOKENS_MIN), room);
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/**
 * Whether the turn that goes on has calls without the thinking that led to them: these models then
 * refuse to think in it.
 */
function lacksThinking(messages: readonly ExchangeMessage[]): boolean {
  if (messages.at(-1)?.role !== 'tool') return false;
  const last = messages.findLast(({ role }) => role === 'assistant');
  return (
    last?.role === 'assistant' &&
    !last.parts.some((part) => part.type === 'reasoning' && isOwn(part.proof))
  );
}

const BUDGETS: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 63_999,
};

function effortOfBudget(tokens: number): Effort {
  if (tokens === 0) return 'none';
  if (tokens <= BUDGETS.low) return 'low';
  return tokens <= BUDGETS.medium ? 'medium' : 'high';
}
