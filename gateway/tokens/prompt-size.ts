import { estimatePromptTokens } from './prompt-estimate.ts';
import {
  promptTokensUpperBound,
  textTokensUpperBound,
  type PromptShape,
} from './prompt-upper-bound.ts';

/** About how many tokens a prompt has, and how many at most. */
export interface PromptSize {
  readonly promptTokensBound: number;
  readonly textTokensBound: number;
  readonly promptTokensEstimate: number;
  readonly hasUnboundedParts: boolean;
}

/** Returns the size of a prompt by its bytes and parts, without a tokenizer. */
export function promptSize(prompt: PromptShape & { readonly mediaBytes: number }): PromptSize {
  return {
    promptTokensBound: promptTokensUpperBound(prompt),
    textTokensBound: textTokensUpperBound(prompt),
    promptTokensEstimate: estimatePromptTokens(prompt),
    hasUnboundedParts: prompt.hasUnboundedParts,
  };
}
