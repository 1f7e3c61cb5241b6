import { asFunction } from '../neutral-form/free-form.ts';
import type { NeutralRequest, NeutralTool, ToolChoice } from '../neutral-form/request.ts';
import type { TargetProfile } from '../target-profile.ts';

interface OfferedTools {
  readonly tools: readonly NeutralTool[];
  readonly choice: ToolChoice | undefined;
}

/**
 * Returns the tools of a request as its target takes them. A target without `allowed_tools` is
 * offered only those that may be called; one without free-form tools has functions in their place.
 */
export function offeredTools(
  { tools, toolChoice: choice }: Pick<NeutralRequest, 'tools' | 'toolChoice'>,
  { customTools, allowedTools }: TargetProfile,
): OfferedTools {
  const among = choice !== undefined && 'among' in choice ? choice.among : undefined;
  const isFewer = among !== undefined && !allowedTools;
  const offered = isFewer ? tools.filter(({ name }) => among.includes(name)) : tools;
  return {
    tools: customTools ? offered : offered.map(asFunction),
    choice: isFewer ? { mode: choice?.mode === 'required' ? 'required' : 'auto' } : choice,
  };
}
