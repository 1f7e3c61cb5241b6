import { CLAUDE_FAMILIES } from './families/claude.ts';
import { GEMINI_FAMILIES } from './families/gemini.ts';
import { GROK_FAMILIES } from './families/grok.ts';
import { OPEN_FAMILIES } from './families/open-models.ts';
import { OPENAI_FAMILIES } from './families/openai.ts';
import { overConverse } from './families/over-converse.ts';
import { modelNameOf } from './model-name.ts';
import type { Family } from './rule-set.ts';

/** In this order: the first family that fits a name is the one. */
export const FAMILIES: readonly Family[] = [
  ...OPENAI_FAMILIES,
  ...CLAUDE_FAMILIES,
  ...GEMINI_FAMILIES,
  ...GROK_FAMILIES,
  ...OPEN_FAMILIES.map(overConverse),
];

/**
 * Finds the family of a model by what its upstream calls it; undefined when the name says nothing.
 * @param namedByOperator the name may have words in front of the family's, as in `prod-gpt-5.1`
 */
export function findFamily(upstreamModel: string, namedByOperator = false): Family | undefined {
  const name = modelNameOf(upstreamModel);
  const family = familyAt(name);
  if (family !== undefined || !namedByOperator) return family;
  for (const { index } of name.matchAll(/[-. ]/g)) {
    const found = familyAt(name.slice(index + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function familyAt(name: string): Family | undefined {
  return FAMILIES.find(({ names }) => names.test(name));
}
