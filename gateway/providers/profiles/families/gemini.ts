/** Google's models. Names are as `modelNameOf` writes them. */
import { ALL_EFFORTS } from '../protocol-defaults.ts';
import type { Effort, Family, Rules } from '../rule-set.ts';
import { GEMINI_JSON_SCHEMA, GEMINI_PROTO } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';
const EVIDENCE = {
  source:
    'pydantic-ai-slim 2.68.0 profiles/google.py; @ai-sdk/google 4.0.121 google-model-catalog.ts',
  checkedOn: CHECKED_ON,
};

const OWN_SCHEMAS: Rules = {
  toolSchema: GEMINI_JSON_SCHEMA,
  formatSchema: GEMINI_JSON_SCHEMA,
};
/** Behind chat completions, schemas are read as Google's own form of them. */
const CHAT_SCHEMAS: Rules = { toolSchema: GEMINI_PROTO, formatSchema: GEMINI_PROTO };

function budget(min: number, max: number): Rules {
  return {
    thinking: 'budget',
    efforts: min === 0 ? ALL_EFFORTS : ALL_EFFORTS.filter((effort) => effort !== 'none'),
    thinkingTokens: { min, max },
    thinksByDefault: true,
  };
}

function levels(...efforts: readonly Effort[]): Rules {
  return { thinking: 'effort', efforts, thinksByDefault: true };
}

/** Gemini 3 and later: calls that come back are signed, and media are fetched. */
const THIRD: Rules = {
  ...OWN_SCHEMAS,
  signedCalls: true,
  formatWithTools: true,
  media: { imageAddresses: true, pdfAddresses: true },
};

export const GEMINI_FAMILIES: readonly Family[] = [
  {
    ...EVIDENCE,
    id: 'gemini-2-media',
    label: 'Gemini 2 models that draw or speak',
    names: /^gemini-[12]\.?\d?-[a-z\d.-]{0,40}(?:image|tts|audio|live)/,
    rules: {},
    byProtocol: {
      gemini: { ...OWN_SCHEMAS, thinking: 'none', efforts: [] },
      'openai-chat': { ...CHAT_SCHEMAS, thinking: 'none', efforts: [] },
    },
  },
  {
    ...EVIDENCE,
    id: 'gemini-3-media',
    label: 'Gemini 3 and later models that draw or speak',
    names: /^gemini-[a-z\d.-]{0,40}(?:image|tts|audio|live|banana)/,
    rules: {},
    byProtocol: {
      gemini: { ...THIRD, thinking: 'none', efforts: [] },
      'openai-chat': { ...CHAT_SCHEMAS, thinking: 'none', efforts: [] },
    },
  },
  {
    ...EVIDENCE,
    id: 'gemini-2',
    label: 'Gemini 2.0 and earlier',
    names: /^gemini-(?:1|2\.0|pro(?:-vision)?$)/,
    rules: {},
    byProtocol: {
      gemini: { ...OWN_SCHEMAS, thinking: 'none', efforts: [] },
      'openai-chat': { ...CHAT_SCHEMAS, thinking: 'none', efforts: [] },
    },
  },
  {
    ...EVIDENCE,
    id: 'gemini-2.5-pro',
    label: 'Gemini 2.5 Pro',
    names: /^gemini-2\.5-pro/,
    rules: {},
    byProtocol: {
      gemini: { ...OWN_SCHEMAS, ...budget(128, 32_768), penalties: false },
      'openai-chat': CHAT_SCHEMAS,
    },
  },
  {
    ...EVIDENCE,
    id: 'gemini-2.5-flash',
    label: 'Gemini 2.5 Flash',
    names: /^gemini-2\./,
    rules: {},
    byProtocol: {
      gemini: { ...OWN_SCHEMAS, ...budget(0, 24_576), penalties: false },
      'openai-chat': { ...CHAT_SCHEMAS, efforts: ['none', 'low', 'medium', 'high'] },
    },
  },
  {
    ...EVIDENCE,
    id: 'gemini-3-pro',
    label: 'Gemini 3 Pro',
    names: /^gemini-3(?:\.0)?-pro/,
    rules: {},
    byProtocol: {
      gemini: { ...THIRD, ...levels('low', 'high') },
      'openai-chat': { ...CHAT_SCHEMAS, efforts: ['low', 'high'] },
    },
  },
  {
    id: 'gemini-3-flash',
    label: 'Gemini 3 to 3.6 Flash, Robotics-ER 2',
    source: `${EVIDENCE.source}; @earendil-works/pi-ai 1.6.0 providers/data google.json`,
    checkedOn: CHECKED_ON,
    names: /^gemini-3(?:\.[0-6])?-flash|^gemini-3\.\d-flash-lite|^gemini-robotics-er-[2-9]/,
    rules: {},
    byProtocol: {
      gemini: { ...THIRD, ...levels('minimal', 'low', 'medium', 'high') },
      'openai-chat': { ...CHAT_SCHEMAS, efforts: ['minimal', 'low', 'medium', 'high'] },
    },
  },
  {
    ...EVIDENCE,
    id: 'gemini-4-hydrogen',
    label: 'Gemini 4 Hydrogen',
    names: /^gemini-4-hydrogen/,
    rules: {},
    byProtocol: {
      gemini: { ...THIRD, ...levels('low', 'medium', 'high', 'xhigh') },
      'openai-chat': CHAT_SCHEMAS,
    },
  },
  {
    ...EVIDENCE,
    // Later models are taken for the newest: `minimal` is refused by some of them.
    id: 'gemini-3.1-pro',
    label: 'Gemini 3.1 Pro, 3.7 and 3.8 Flash, Gemini 4 and later',
    names: /^gemini-(?:[3-9]|\d\d|(?:pro|flash|flash-lite)-latest)/,
    rules: {},
    byProtocol: {
      gemini: { ...THIRD, ...levels('low', 'medium', 'high') },
      'openai-chat': CHAT_SCHEMAS,
    },
  },
];
