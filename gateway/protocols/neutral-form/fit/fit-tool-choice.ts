import type { TargetProfile } from '../../target-profile.ts';
import type { NeutralRequest, ToolChoice } from '../request.ts';
import { addInstruction } from './conversation/add-instruction.ts';
import type { FitStep } from './fit-request.ts';
import { thinks } from './fit-reasoning.ts';

/**
 * A tool that must be called, at targets that cannot be forced to, or not while they think. One
 * that can do without thinking does; another is asked in the prompt.
 */
export function fitToolChoice(request: NeutralRequest, profile: TargetProfile): FitStep {
  const { toolChoice: choice } = request;
  if (choice === undefined || profile.forcedTools === 'accepted') return { request };
  // Without tools, the model calls none.
  if (choice.mode === 'none' && profile.forcedTools === 'only_auto') {
    return { request: { ...request, tools: [], toolChoice: undefined } };
  }
  if (choice.mode !== 'required' && choice.mode !== 'tool') return { request };
  if (profile.forcedTools === 'without_thinking') {
    if (!thinks(request, profile)) return { request };
    if (!profile.thinksByDefault) {
      const unthinking = { ...request, effort: undefined, reasoningTokensMax: undefined };
      return { request: unthinking, leftOut: ['effort'] };
    }
    if (profile.efforts.includes('none')) {
      const unthinking = { ...request, effort: 'none', reasoningTokensMax: undefined } as const;
      return { request: unthinking, leftOut: ['effort'] };
    }
  }
  const free: ToolChoice =
    'among' in choice ? { mode: 'auto', among: choice.among } : { mode: 'auto' };
  return {
    request: addInstruction({ ...request, toolChoice: free }, instructionOf(choice)),
    leftOut: ['toolChoice'],
  };
}

function instructionOf(choice: ToolChoice): string {
  return choice.mode === 'tool'
    ? `Answer with a call of the tool "${choice.name}".`
    : 'Answer with a call of at least one tool.';
}
