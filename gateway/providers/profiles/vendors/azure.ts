import { GROK_FAMILIES } from '../families/grok.ts';
import { OPEN_FAMILIES } from '../families/open-models.ts';
import { GENERIC, type Vendor } from '../rule-set.ts';
import { CONSERVATIVE, INLINE_REFS } from '../schema-rules.ts';
import { OPENAI_CHAT_RULES, OPENAI_RULES } from './openai.ts';

const CHECKED_ON = '2026-11-28';

export const AZURE: Vendor = {
  id: 'azure',
  label: 'Azure OpenAI',
  source: 'pydantic-ai-slim 2.68.0 providers/azure.py',
  checkedOn: CHECKED_ON,
  hosts: ['*.openai.azure.com', '*.services.ai.azure.com', '*.cognitiveservices.azure.com'],
  kinds: ['azure'],
  namedByOperator: true,
  rules: OPENAI_RULES,
  byProtocol: {
    // Chat completions have no `file` parts here.
    'openai-chat': { ...OPENAI_CHAT_RULES, media: { pdf: false } },
  },
  families: [
    {
      // A deployment may be of any model. All take this name of the limit, and not all an effort.
      of: [GENERIC],
      source: 'pydantic-ai-slim 2.68.0 providers/azure.py',
      checkedOn: CHECKED_ON,
      rules: { thinking: 'none', efforts: [], outputLimitField: 'max_completion_tokens' },
    },
    {
      // Other makers' models know none of OpenAI's own fields.
      of: [...OPEN_FAMILIES, ...GROK_FAMILIES].map(({ id }) => id),
      source: 'zed-industries/zed#52000',
      checkedOn: CHECKED_ON,
      rules: {
        cacheKey: false,
        userIdCharactersMax: 0,
        developerRole: false,
        strictTools: false,
        toolSchema: CONSERVATIVE,
        strictSchema: CONSERVATIVE,
        formatSchema: CONSERVATIVE,
      },
    },
    {
      of: ['mistral', 'mistral-medium', 'mistral-large-4'],
      source: 'pydantic/pydantic-ai#6593',
      checkedOn: CHECKED_ON,
      rules: { outputLimitField: 'max_tokens' },
    },
    {
      of: GROK_FAMILIES.map(({ id }) => id),
      source: 'pydantic/pydantic-ai#10987; promptfoo/promptfoo#10592',
      checkedOn: CHECKED_ON,
      rules: { toolSchema: INLINE_REFS, penalties: false, stopSequencesMax: 0 },
    },
  ],
};
