/** Anthropic's models, under whatever vendor. Names are as `modelNameOf` writes them. */
import type { StrictLimits } from '../../../protocols/target-profile.ts';
import { ALL_EFFORTS } from '../protocol-defaults.ts';
import type { Effort, Family, Rules } from '../rule-set.ts';
import { ANTHROPIC_STRICT, ANTHROPIC_TOOLS } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';
const EVIDENCE = {
  source:
    'pydantic-ai-slim 2.68.0 profiles/anthropic.py, providers/bedrock.py; @ai-sdk/anthropic 4.0.105 anthropic-model-catalog.ts',
  checkedOn: CHECKED_ON,
};

/** The API refuses more over all strict schemas of a request. */
export const CLAUDE_STRICT_LIMITS: StrictLimits = {
  toolsMax: 20,
  // 24 are allowed, but from 13 on the compiler may give up.
  optionalPropertiesMax: 12,
  unionPropertiesMax: 16,
  depthMax: Infinity,
  propertiesMax: Infinity,
  recursion: false,
};

/** Every Claude; the same on chat completions, such as OpenRouter's. */
const CLAUDE: Rules = {
  toolSchema: ANTHROPIC_TOOLS,
  temperature: { min: 0, max: 1 },
  penalties: false,
  blankStopSequences: false,
};

/** Compiled schemas: strict tools and `output_config.format`. */
const STRUCTURED: Rules = {
  jsonSchema: 'format',
  strictTools: true,
  strictSchema: ANTHROPIC_STRICT,
  formatSchema: ANTHROPIC_STRICT,
  strictLimits: CLAUDE_STRICT_LIMITS,
};

/** Takes back a last message of the assistant only without white space at its end. */
const PREFILL: Rules = {
  conversation: { lastAssistant: 'without_trailing_space', systemMessages: 'leading' },
};
const NO_PREFILL: Rules = { conversation: { lastAssistant: 'refused' } };
const SYSTEM_ANYWHERE: Rules = {
  conversation: { lastAssistant: 'refused', systemMessages: 'anywhere' },
};

/**
 * Converse, at Bedrock alone: Anthropic's own fields reach the model, and one turn costs what it
 * costs over Messages. It has no place for system messages within a conversation.
 */
const OVER_CONVERSE: Rules = {
  anthropicFields: true,
  cachePoints: 'anywhere',
  cacheKey: true,
  temperatureOrTopP: true,
  topK: true,
  // The most that Converse takes for any model.
  stopSequencesMax: 2_500,
  parallelSwitch: true,
  conversation: { systemMessages: 'leading', reasoningText: 'accepted' },
};

const HOURLY: Rules = { hourlyCache: true };
/** Bedrock compiles no schemas for some models. */
const UNSTRUCTURED: Rules = { jsonSchema: 'tool', strictTools: false };

/** Rules of the two interfaces that have Anthropic's fields, and those of Converse on top. */
function overBoth(rules: Rules, overConverse: Rules = {}): NonNullable<Family['byProtocol']> {
  return {
    'anthropic-messages': rules,
    'bedrock-converse': { ...OVER_CONVERSE, ...rules, ...overConverse },
  };
}

/** Of the output a budget leaves one token at least. */
function budget(outputTokensMax: number): Rules {
  const thinkingTokens = { min: 1_024, max: outputTokensMax - 1 };
  return { thinking: 'budget', efforts: ALL_EFFORTS, thinkingTokens, outputTokensMax };
}

/** The model decides how much it thinks; it is told an effort. */
function adaptive(efforts: readonly Effort[]): Rules {
  return {
    ...STRUCTURED,
    thinking: 'adaptive',
    efforts,
    thinkingTokens: null,
    outputTokensMax: 128_000,
  };
}

const WITHOUT_XHIGH = adaptive(['none', 'low', 'medium', 'high', 'max']);
const SWITCHABLE = adaptive(['none', 'low', 'medium', 'high', 'xhigh', 'max']);
const ALWAYS = adaptive(['low', 'medium', 'high', 'xhigh', 'max']);

const THINKS_ON_REQUEST: Rules = {
  ...CLAUDE,
  sampling: 'without_thinking',
  forcedTools: 'without_thinking',
};
const NEWER: Rules = { ...CLAUDE, sampling: 'refused', forcedTools: 'accepted' };
const THINKS_BY_DEFAULT: Rules = { ...NEWER, thinksByDefault: true };
const NEVER_FORCED: Rules = { ...THINKS_BY_DEFAULT, forcedTools: 'refused' };

export const CLAUDE_FAMILIES: readonly Family[] = [
  {
    ...EVIDENCE,
    id: 'claude-3',
    label: 'Claude 3.5 and earlier',
    names: /^claude-(?:[a-z]+-(?:[12]\.|3\.[0-5](?!\d))|v?[12](?!\d)|instant)/,
    rules: {
      ...CLAUDE,
      ...PREFILL,
      thinking: 'none',
      efforts: [],
      thinkingTokens: null,
      sampling: 'accepted',
      forcedTools: 'accepted',
    },
    byProtocol: overBoth({ temperatureOrTopP: false, outputTokensMax: 8_192 }),
  },
  {
    ...EVIDENCE,
    id: 'claude-3.7',
    label: 'Claude 3.7 Sonnet, Sonnet 4',
    names: /^claude-(?:[a-z]+-3\.[6-9]|(?:sonnet|haiku)-4\.[0-4](?!\d))/,
    rules: { ...THINKS_ON_REQUEST, ...PREFILL },
    byProtocol: overBoth({ ...budget(64_000), temperatureOrTopP: false }),
  },
  {
    ...EVIDENCE,
    id: 'claude-opus-4',
    label: 'Claude Opus 4',
    names: /^claude-opus-4\.0/,
    rules: { ...THINKS_ON_REQUEST, ...PREFILL },
    byProtocol: overBoth({ ...budget(32_000), temperatureOrTopP: false }),
  },
  {
    ...EVIDENCE,
    id: 'claude-opus-4.1',
    label: 'Claude Opus 4.1',
    names: /^claude-opus-4\.[1-4](?!\d)/,
    rules: { ...THINKS_ON_REQUEST, ...PREFILL },
    byProtocol: overBoth({ ...STRUCTURED, ...budget(32_000) }, UNSTRUCTURED),
  },
  {
    ...EVIDENCE,
    id: 'claude-4.5',
    label: 'Claude Opus, Sonnet and Haiku 4.5',
    names: /^claude-[a-z]+-4\.5(?!\d)/,
    rules: { ...THINKS_ON_REQUEST, ...PREFILL },
    byProtocol: overBoth({ ...STRUCTURED, ...budget(64_000) }, HOURLY),
  },
  {
    ...EVIDENCE,
    id: 'claude-4.6',
    label: 'Claude Opus and Sonnet 4.6',
    names: /^claude-[a-z]+-4\.6(?!\d)/,
    rules: { ...THINKS_ON_REQUEST, ...NO_PREFILL, forcedTools: 'accepted' },
    byProtocol: overBoth(WITHOUT_XHIGH, HOURLY),
  },
  {
    ...EVIDENCE,
    id: 'claude-opus-4.7',
    label: 'Claude Opus 4.7',
    names: /^claude-[a-z]+-4\.7(?!\d)/,
    rules: { ...NEWER, ...NO_PREFILL },
    byProtocol: overBoth(SWITCHABLE, HOURLY),
  },
  {
    ...EVIDENCE,
    id: 'claude-opus-4.8',
    label: 'Claude Opus 4.8',
    names: /^claude-[a-z]+-4\.(?:[89]|\d\d)/,
    rules: { ...NEWER, ...SYSTEM_ANYWHERE },
    byProtocol: overBoth(SWITCHABLE, HOURLY),
  },
  {
    ...EVIDENCE,
    id: 'claude-sonnet-5',
    label: 'Claude Sonnet 5',
    names: /^claude-(?:sonnet|haiku)-5\.[0-4](?!\d)/,
    rules: { ...THINKS_BY_DEFAULT, ...NO_PREFILL },
    byProtocol: overBoth(SWITCHABLE, HOURLY),
  },
  {
    ...EVIDENCE,
    id: 'claude-opus-5',
    label: 'Claude Opus 5',
    names: /^claude-opus-5\.[0-4](?!\d)/,
    rules: { ...THINKS_BY_DEFAULT, ...SYSTEM_ANYWHERE },
    byProtocol: overBoth(SWITCHABLE, HOURLY),
  },
  {
    ...EVIDENCE,
    id: 'claude-haiku-5.5',
    label: 'Claude Haiku 5.5',
    names: /^claude-haiku-5\.[5-9]/,
    rules: { ...THINKS_BY_DEFAULT, ...NO_PREFILL },
    byProtocol: overBoth(SWITCHABLE, HOURLY),
  },
  {
    ...EVIDENCE,
    // `thinking: {type: "disabled"}` is an error; it can be told not to think between tools only.
    id: 'claude-sonnet-5.5',
    label: 'Claude Sonnet 5.5',
    names: /^claude-sonnet-5\.[5-9]/,
    rules: { ...NEVER_FORCED, ...NO_PREFILL },
    byProtocol: overBoth(ALWAYS, HOURLY),
  },
  {
    ...EVIDENCE,
    id: 'claude-fable-5',
    label: 'Claude Fable 5 and Mythos 5',
    names: /^claude-(?:fable|mythos)-(?:5\.0|preview)/,
    rules: { ...THINKS_BY_DEFAULT, ...SYSTEM_ANYWHERE },
    byProtocol: overBoth(ALWAYS, { ...HOURLY, ...UNSTRUCTURED }),
  },
  {
    ...EVIDENCE,
    id: 'claude-fable-5.1',
    label: 'Claude Fable and Mythos 5.1 and 5.2',
    names: /^claude-(?:fable|mythos)-5\./,
    rules: { ...NEVER_FORCED, ...SYSTEM_ANYWHERE },
    byProtocol: overBoth(ALWAYS, { ...HOURLY, ...UNSTRUCTURED }),
  },
  {
    ...EVIDENCE,
    // A Claude of no or an unknown version is taken for one of the newest: they refuse most.
    id: 'claude-opus-5.5',
    label: 'Claude Opus 5.5 and later',
    names: /^claude/,
    rules: { ...NEVER_FORCED, ...SYSTEM_ANYWHERE },
    byProtocol: overBoth(ALWAYS, HOURLY),
  },
];
