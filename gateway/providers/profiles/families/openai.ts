/** OpenAI's own models. Vendors that resell them take what OpenAI takes. */
import type { Effort, Family, Rules } from '../rule-set.ts';

const CHECKED_ON = '2026-11-28';
const PYDANTIC = 'pydantic-ai-slim 2.68.0 profiles/openai.py';
const AI_SDK = '@ai-sdk/openai 4.0.118 openai-model-catalog.ts';
const EVIDENCE = { source: `${PYDANTIC}; ${AI_SDK}`, checkedOn: CHECKED_ON };

/** All of OpenAI's models; others know none of these fields. */
const OPENAI: Rules = {
  customTools: true,
  allowedTools: true,
  strictTools: true,
  // OpenAI's models make no images in chat completions, and unknown fields are refused.
  assistantImages: false,
  conversation: { systemMessages: 'anywhere' },
  callInputs: 'any',
};

const NOT_REASONING: Rules = {
  ...OPENAI,
  thinking: 'none',
  efforts: [],
  // `include: ["reasoning.encrypted_content"]` is an error: pydantic/pydantic-ai#2865, #3326.
  encryptedReasoning: false,
};

const REASONING: Rules = {
  ...OPENAI,
  thinking: 'effort',
  thinksByDefault: true,
  encryptedReasoning: true,
  sampling: 'refused',
  stopSequencesMax: 0,
  outputLimitField: 'max_completion_tokens',
};

const GPT_5: Rules = { ...REASONING, verbosity: true };

/** Models that can be told not to think, and then take sampling. */
const SWITCHABLE: Rules = { ...GPT_5, sampling: 'without_thinking' };

const TO_XHIGH: readonly Effort[] = ['none', 'low', 'medium', 'high', 'xhigh'];
const TO_MAX: readonly Effort[] = [...TO_XHIGH, 'max'];
const ALWAYS_TO_XHIGH: readonly Effort[] = ['low', 'medium', 'high', 'xhigh'];

/** Chat completions refuse `max` of every model. */
const CHAT_TO_XHIGH: Rules = { efforts: TO_XHIGH };

/**
 * On chat completions these models refuse function tools with any effort but `none`; 5.5 and
 * 5.6 do so even where no effort is named.
 */
const NO_EFFORT_WITH_TOOLS: Rules = { effortWithTools: 'default' };
const NONE_WITH_TOOLS: Rules = { effortWithTools: 'none' };
const EFFORT_WITH_TOOLS_SOURCE = `${EVIDENCE.source}; BerriAI/litellm#34569; pipecat-ai/pipecat#4043; livekit/agents#5088`;

export const OPENAI_FAMILIES: readonly Family[] = [
  {
    ...EVIDENCE,
    id: 'o-series',
    label: 'OpenAI o1, o3, o4-mini',
    names: /^(?:o[1-9](?![\d.])|codex)/,
    rules: { ...REASONING, efforts: ['low', 'medium', 'high'], parallelSwitch: false },
  },
  {
    ...EVIDENCE,
    id: 'gpt-5-chat',
    label: 'GPT-5 Chat',
    names: /^gpt-?5-chat/,
    rules: { ...NOT_REASONING, outputLimitField: 'max_completion_tokens' },
  },
  {
    ...EVIDENCE,
    id: 'gpt-5-pro',
    label: 'GPT-5 Pro',
    names: /^gpt-?5-pro/,
    rules: { ...GPT_5, efforts: ['high'] },
  },
  {
    ...EVIDENCE,
    id: 'gpt-5-codex',
    label: 'GPT-5 and 5.1 Codex',
    names: /^gpt-?5(?:[.-]1)?-codex/,
    rules: { ...GPT_5, efforts: ['low', 'medium', 'high'] },
  },
  {
    ...EVIDENCE,
    id: 'gpt-5.1-chat',
    label: 'GPT-5.1 to 5.3 Chat',
    names: /^gpt-?5[.-][1-3]-chat/,
    rules: { ...GPT_5, efforts: ['medium'] },
  },
  {
    ...EVIDENCE,
    id: 'gpt-5.2-pro',
    label: 'GPT-5.2 to 5.5 Pro',
    names: /^gpt-?5[.-][2-5]-pro/,
    rules: { ...GPT_5, efforts: ['medium', 'high', 'xhigh'] },
  },
  {
    ...EVIDENCE,
    id: 'gpt-5.1',
    label: 'GPT-5.1',
    names: /^gpt-?5[.-]1(?!\d)/,
    rules: { ...SWITCHABLE, efforts: ['none', 'low', 'medium', 'high'], thinksByDefault: false },
  },
  {
    id: 'gpt-5.2',
    label: 'GPT-5.2 and 5.3',
    source: EFFORT_WITH_TOOLS_SOURCE,
    checkedOn: CHECKED_ON,
    names: /^gpt-?5[.-][23](?!\d)/,
    rules: { ...SWITCHABLE, efforts: TO_XHIGH, thinksByDefault: false },
    byProtocol: { 'openai-chat': NO_EFFORT_WITH_TOOLS },
  },
  {
    id: 'gpt-5.4',
    label: 'GPT-5.4',
    source: EFFORT_WITH_TOOLS_SOURCE,
    checkedOn: CHECKED_ON,
    names: /^gpt-?5[.-]4(?!\d)/,
    rules: { ...SWITCHABLE, efforts: TO_XHIGH, thinksByDefault: false },
    byProtocol: { 'openai-chat': NO_EFFORT_WITH_TOOLS },
  },
  {
    id: 'gpt-5.5',
    label: 'GPT-5.5',
    source: EFFORT_WITH_TOOLS_SOURCE,
    checkedOn: CHECKED_ON,
    names: /^gpt-?5[.-]5(?!\d)/,
    rules: { ...SWITCHABLE, efforts: TO_XHIGH },
    byProtocol: { 'openai-chat': NO_EFFORT_WITH_TOOLS },
  },
  {
    id: 'gpt-5.6',
    label: 'GPT-5.6',
    source: EFFORT_WITH_TOOLS_SOURCE,
    checkedOn: CHECKED_ON,
    names: /^gpt-?5[.-](?:[6-9](?!\d)|[1-9]\d(?!\d))/,
    rules: { ...SWITCHABLE, efforts: TO_MAX, cacheBreakpoints: true },
    byProtocol: { 'openai-chat': { ...CHAT_TO_XHIGH, ...NONE_WITH_TOOLS } },
  },
  {
    ...EVIDENCE,
    id: 'gpt-5',
    label: 'GPT-5, mini, nano',
    names: /^gpt-?5/,
    rules: { ...GPT_5, efforts: ['minimal', 'low', 'medium', 'high'] },
  },
  {
    id: 'gpt-6',
    label: 'GPT-6 Sol and Luna, GPT-6.1 Terra, Daybreak',
    source: `${EVIDENCE.source}; @earendil-works/pi-ai 1.6.0 providers/data openai.json`,
    checkedOn: CHECKED_ON,
    names: /^(?:gpt-?6(?:-(?:sol|luna)|[.-]1-terra)|(?:gpt-)?daybreak)/,
    rules: { ...SWITCHABLE, efforts: TO_MAX, cacheBreakpoints: true },
    byProtocol: { 'openai-chat': CHAT_TO_XHIGH },
  },
  {
    ...EVIDENCE,
    // Later models are taken for the newest kind: it refuses most.
    id: 'gpt-6-astra',
    label: 'GPT-6 Astra, GPT-6.1 Sol and later',
    names: /^gpt-?(?:[6-9](?!\d)|(?!35|4)[1-9]\d(?!\d))/,
    rules: { ...GPT_5, efforts: [...ALWAYS_TO_XHIGH, 'max'], cacheBreakpoints: true },
    byProtocol: { 'openai-chat': { efforts: ALWAYS_TO_XHIGH } },
  },
  {
    ...EVIDENCE,
    id: 'gpt-4',
    label: 'GPT-3.5, GPT-4, GPT-4o, GPT-4.1',
    names: /^(?:gpt-?[34]|gpt-(?:audio|image|live|realtime|search)|chatgpt)/,
    rules: NOT_REASONING,
  },
];
