/** What open models and Amazon's own take over Bedrock's Converse; Claude's rules are with it. */
import type { Family, Rules, VendorFamilyRules } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';
const PYDANTIC = 'pydantic-ai-slim 2.68.0 providers/bedrock.py';

/** Results of tools have no images and files. */
const PLAIN_RESULTS: Rules = { media: { toolResultImages: false } };

const NOVA: Rules = {
  cachePoints: 'in_prompt',
  cacheKey: true,
  forcedTools: 'accepted',
  stopSequencesMax: 4,
};

function effort(
  efforts: NonNullable<Rules['efforts']>,
  additionalEffortField: NonNullable<Rules['additionalEffortField']>,
): Rules {
  return { thinking: 'effort', efforts, additionalEffortField };
}

/** Families with the rules that Converse has for each. */
const OVER_CONVERSE: readonly VendorFamilyRules[] = [
  {
    of: ['nova'],
    source: `${PYDANTIC}; LibreChat-AI/agents#253`,
    checkedOn: CHECKED_ON,
    rules: NOVA,
  },
  {
    of: ['nova-2'],
    source: `${PYDANTIC}; @ai-sdk/amazon-bedrock 4.0.186 bedrock-chat-language-model.ts`,
    checkedOn: CHECKED_ON,
    rules: {
      ...NOVA,
      // With the highest effort it refuses an output limit and sampling.
      ...effort(['none', 'low', 'medium'], 'reasoningConfig'),
      forcedTools: 'without_thinking',
    },
  },
  {
    // A result stands alone in its message.
    of: ['llama'],
    source: `${PYDANTIC}; run-llama/llama_index#19886, #19655; earendil-works/pi#3739`,
    checkedOn: CHECKED_ON,
    rules: { conversation: { assistantBehindResults: true }, streamedTools: false },
  },
  {
    of: ['mistral-large-4', 'mistral-medium', 'mistral', 'kimi-k3', 'kimi-k2.7', 'kimi-k2.5'],
    source: PYDANTIC,
    checkedOn: CHECKED_ON,
    rules: PLAIN_RESULTS,
  },
  {
    of: ['qwen3-coder', 'qwen2.5'],
    source: `${PYDANTIC}; langgenius/dify-official-plugins#1767`,
    checkedOn: CHECKED_ON,
    rules: PLAIN_RESULTS,
  },
  {
    of: ['qwen3.7', 'qwen3'],
    source: `${PYDANTIC}; langgenius/dify-official-plugins#1767`,
    checkedOn: CHECKED_ON,
    rules: { ...PLAIN_RESULTS, ...effort(['none', 'low', 'medium', 'high'], 'reasoning_config') },
  },
  {
    of: ['gpt-oss'],
    source: `${PYDANTIC}; crewAIInc/crewAI#3317`,
    checkedOn: CHECKED_ON,
    rules: effort(['low', 'medium', 'high'], 'reasoning_effort'),
  },
  {
    of: ['glm-5.3'],
    source: PYDANTIC,
    checkedOn: CHECKED_ON,
    rules: effort(['low', 'medium', 'high', 'xhigh', 'max'], 'reasoning_effort'),
  },
  {
    of: ['glm-5.2', 'glm'],
    source: PYDANTIC,
    checkedOn: CHECKED_ON,
    rules: effort(['none', 'high'], 'reasoning_effort'),
  },
];

/** Returns a family with its rules over Converse. */
export function overConverse(family: Family): Family {
  const found = OVER_CONVERSE.find(({ of }) => of.includes(family.id));
  if (found === undefined) return family;
  return {
    ...family,
    source: `${family.source}; ${found.source}`,
    byProtocol: { ...family.byProtocol, 'bedrock-converse': found.rules },
  };
}
