/** What OpenAI's own models take, told by the name under which an upstream has them. */
import type { Effort } from '../../exchange-form/request.ts';

/** The name without the seller's prefix that some upstreams have, as in `openai/gpt-5.5`. */
function bareName(upstreamModel: string): string {
  return upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1);
}

/** Whether OpenAI itself serves the model. The open gpt-oss runs anywhere. */
export function isOpenaiModel(upstreamModel: string): boolean {
  return /^(?:gpt-(?!oss)|o\d|chatgpt|codex)/.test(bareName(upstreamModel));
}

/** Whether parts may have a `prompt_cache_breakpoint`: from GPT-5.6 on. */
export function takesCacheBreakpoints(upstreamModel: string): boolean {
  return /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|\d\d(?!\d))/.test(bareName(upstreamModel));
}

/**
 * `reasoning_effort` as the model takes it; undefined where it takes none. Effort is advice, so the
 * nearest word is better than an error.
 */
export function reasoningEffort(upstreamModel: string, effort: Effort): Effort | undefined {
  const name = bareName(upstreamModel);
  // "gpt-35" is what Azure calls gpt-3.5.
  if (/^(?:gpt-(?:[34]|35)(?!\d)|chatgpt)/.test(name)) return undefined;
  if (/^gpt-(?:5\.|[6-9]|\d\d)/.test(name)) return effort;
  const nearest = effort === 'xhigh' || effort === 'max' ? 'high' : effort;
  if (name.startsWith('gpt-5')) return nearest === 'none' ? 'minimal' : nearest;
  if (nearest === 'none') return /^o\d/.test(name) ? 'low' : undefined;
  return nearest === 'minimal' ? 'low' : nearest;
}

/** Budgets up to these many tokens; beyond the last the effort is high. */
const EFFORT_BUDGETS: readonly (readonly [number, Effort])[] = [
  [0, 'none'],
  [2_048, 'low'],
  [12_288, 'medium'],
];

/** The effort that a budget of thinking tokens comes near to. */
export function effortOfBudget(tokens: number): Effort {
  return EFFORT_BUDGETS.find(([most]) => tokens <= most)?.[1] ?? 'high';
}
