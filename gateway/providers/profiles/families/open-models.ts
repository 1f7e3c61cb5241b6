/** Open models, and those that several vendors serve. A vendor's own rules come on top. */
import type { Effort, Family, Rules } from '../rule-set.ts';
import { INLINE_REFS, MOONSHOT } from '../schema-rules.ts';

const CHECKED_ON = '2026-11-28';
const PYDANTIC = 'pydantic-ai-slim 2.68.0';
const PI_DATA = '@earendil-works/pi-ai 1.6.0 providers/data';

/** Parameters with `$ref` are not refused, but the model garbles what it calls with. */
const INLINED: Rules = { toolSchema: INLINE_REFS };
/** Sellers hand schemas on to Moonshot: earendil-works/pi#5575, tailcallhq/forgecode#3123. */
const KIMI: Rules = { toolSchema: MOONSHOT, formatSchema: MOONSHOT };
/** A server refuses an effort for a model that does not think. */
const NO_THINKING: Rules = { thinking: 'none', efforts: [] };

/** They always think, and cannot be told not to. */
const MUSE: Rules = { thinksByDefault: true, encryptedReasoning: true };
const MUSE_EFFORTS: readonly Effort[] = ['minimal', 'low', 'medium', 'high', 'xhigh'];

const MISTRAL_EVIDENCE = {
  source:
    '@ai-sdk/mistral 4.0.87 mistral-model-catalog.ts; pydantic-ai-slim 2.68.0 profiles/mistral.py; anomalyco/opencode#5034',
  checkedOn: CHECKED_ON,
};
/** An effort only where Mistral itself serves them. Templates of these models check the ids. */
const MISTRAL: Rules = {
  ...NO_THINKING,
  callId: { letters: 'A-Za-z0-9', charactersMin: 9, charactersMax: 9 },
  // Two messages of the user in a row end in an error of the template.
  conversation: { assistantBehindResults: true, startsWithUser: true, strictAlternation: true },
};

export const OPEN_FAMILIES: readonly Family[] = [
  {
    id: 'gpt-oss',
    label: 'gpt-oss',
    source: `${PYDANTIC} profiles/harmony.py, profiles/groq.py; vllm-project/vllm#44216`,
    checkedOn: CHECKED_ON,
    names: /^gpt-?oss/,
    // `required` is ignored: a reply without a call would surprise the client.
    rules: { ...INLINED, thinksByDefault: true, forcedTools: 'refused' },
  },
  {
    id: 'deepseek-r1',
    label: 'DeepSeek R1',
    source: `${PYDANTIC} profiles/deepseek.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:deepseek-(?:r1|reasoner)|r1(?![a-z\d]))/,
    rules: { thinksByDefault: true },
  },
  {
    id: 'deepseek-v4',
    label: 'DeepSeek V4',
    source: `${PYDANTIC} providers/deepseek.py; @ai-sdk/deepseek 3.0.56 is-deepseek-v4-model.ts`,
    checkedOn: CHECKED_ON,
    names: /^deepseek-(?:v[4-9]|flash|pro)/,
    rules: { thinksByDefault: true },
  },
  {
    id: 'deepseek',
    label: 'DeepSeek V3 and earlier',
    source: `${PYDANTIC} profiles/deepseek.py`,
    checkedOn: CHECKED_ON,
    names: /^deepseek/,
    rules: {},
  },
  {
    id: 'kimi-k3',
    label: 'Kimi K3, Kimi for Coding',
    source: `${PYDANTIC} providers/cerebras.py, profiles/moonshotai.py; ${PI_DATA} kimi-coding.json`,
    checkedOn: CHECKED_ON,
    names: /^(?:(?:kimi-)?k3|kimi-(?:fast-)?latest|kimi-for-coding(?!-highspeed))/,
    rules: { ...KIMI, thinksByDefault: true, efforts: ['low', 'high', 'max'] },
  },
  {
    id: 'kimi-k2.7',
    label: 'Kimi K2.7 and K2 Thinking',
    source: `${PYDANTIC} providers/moonshotai.py; ${PI_DATA} kimi-coding.json`,
    checkedOn: CHECKED_ON,
    names: /^kimi-(?:k2\.7|k2-thinking|thinking|for-coding)/,
    rules: { ...KIMI, thinksByDefault: true },
  },
  {
    id: 'kimi-k2.5',
    label: 'Kimi K2.5 and K2.6',
    source: `${PYDANTIC} providers/moonshotai.py`,
    checkedOn: CHECKED_ON,
    names: /^kimi-k2\.[56]/,
    rules: { ...KIMI, thinksByDefault: true },
  },
  {
    id: 'moonshot-v1',
    label: 'Kimi K2 and Moonshot v1',
    source: `${PYDANTIC} profiles/moonshotai.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:kimi|moonshot)/,
    rules: { ...KIMI, ...NO_THINKING },
  },
  {
    id: 'qwen3-coder',
    label: 'Qwen3 Coder and Instruct',
    source: `${PYDANTIC} profiles/qwen.py, providers/vllm.py`,
    checkedOn: CHECKED_ON,
    names: /^qwen-?3(?:[.-]\d)?-(?:coder|[a-z\d.-]{0,40}instruct)/,
    rules: { ...INLINED, ...NO_THINKING },
  },
  {
    id: 'qwen3.7',
    label: 'Qwen3.7 and later, Qwen4',
    source: `${PI_DATA} groq.json, qwen-token-plan.json; @ai-sdk/alibaba 2.0.58`,
    checkedOn: CHECKED_ON,
    // `qwen3-8b` is a Qwen3 of 8 billion parameters.
    names: /^qwen-?(?:3\.[7-9]|3-[7-9](?![\d.]*b)|[4-9](?!\d))/,
    rules: INLINED,
  },
  {
    id: 'qwen3',
    label: 'Qwen3, QwQ and Qwen’s hosted models',
    source: `${PYDANTIC} profiles/qwen.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:qwen-?[3-9]|qwq|qvq|qwen-(?:max|plus|flash|turbo|long|omni|vl))/,
    rules: INLINED,
  },
  {
    id: 'qwen2.5',
    label: 'Qwen 2.5 and earlier',
    source: `${PYDANTIC} profiles/qwen.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:qwen|codeqwen)/,
    rules: { ...INLINED, ...NO_THINKING },
  },
  {
    id: 'glm-5.3',
    label: 'GLM-5.3 and the latest',
    source: `${PYDANTIC} profiles/zai.py; pydantic/pydantic-ai#10243; ${PI_DATA} fireworks.json`,
    checkedOn: CHECKED_ON,
    names: /^(?:zai-)?glm-(?:5[.-]3|(?:fast-|flash-)?latest)/,
    rules: { ...INLINED, thinksByDefault: true, efforts: ['low', 'high', 'max'] },
  },
  {
    id: 'glm-5.2',
    label: 'GLM-5.2',
    source: `${PYDANTIC} profiles/zai.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:zai-)?glm-5[.-]2/,
    rules: { thinksByDefault: true },
  },
  {
    id: 'glm',
    label: 'GLM-4.5 to 5.1',
    source: `${PYDANTIC} profiles/zai.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:zai-)?glm-(?:4[.-][5-9](?![\db])|[5-9])/,
    rules: { thinksByDefault: true },
  },
  {
    id: 'glm-4',
    label: 'GLM-4 and earlier',
    source: `${PYDANTIC} profiles/zai.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:zai-)?(?:glm|chatglm|codegeex)/,
    rules: NO_THINKING,
  },
  {
    id: 'minimax',
    label: 'MiniMax M2 and later',
    source: 'modelparams 0.0.53; QwenLM/qwen-code#11834',
    checkedOn: CHECKED_ON,
    names: /^minimax/,
    rules: {
      thinksByDefault: true,
      temperature: { min: 0.01, max: 1 },
      conversation: { systemMessages: 'one_leading' },
    },
  },
  {
    ...MISTRAL_EVIDENCE,
    id: 'mistral-large-4',
    label: 'Mistral Large 4',
    names: /^mistral-large-[4-9](?!\d)/,
    rules: MISTRAL,
  },
  {
    ...MISTRAL_EVIDENCE,
    id: 'mistral-medium',
    label: 'Mistral Medium and Small, Magistral',
    names: /^(?:mistral-(?:medium|small|vibe)|magistral|labs-leanstral)/,
    rules: MISTRAL,
  },
  {
    ...MISTRAL_EVIDENCE,
    id: 'mistral',
    label: 'Mistral Large 3, Codestral, Devstral, Ministral, Pixtral, Voxtral',
    names:
      /^(?:mistral|codestral|devstral|ministral|mathstral|open-mi|labs-|mi[sx]tral|pixtral|voxtral|mixtral)/,
    rules: MISTRAL,
  },
  {
    id: 'llama',
    label: 'Llama',
    source: `${PYDANTIC} profiles/meta.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:meta-)?(?:code)?llama/,
    rules: { ...INLINED, ...NO_THINKING, conversation: { startsWithUser: true } },
  },
  {
    id: 'muse',
    label: 'Meta Muse 1.3 and later',
    source: `${PYDANTIC} profiles/meta.py; ${PI_DATA} meta.json`,
    checkedOn: '2026-11-29',
    names: /^(?:meta-)?muse-(?:spark-1\.(?:[3-9]|\d\d)(?!-contributor)|(?!spark))/,
    rules: { ...MUSE, efforts: [...MUSE_EFFORTS, 'max'] },
  },
  {
    id: 'muse-spark-1.2',
    label: 'Meta Muse Spark 1.1 and 1.2, and those of contributors',
    source: `${PYDANTIC} profiles/meta.py; ${PI_DATA} meta.json`,
    checkedOn: '2026-11-29',
    names: /^(?:meta-)?muse-/,
    rules: { ...MUSE, efforts: MUSE_EFFORTS },
  },
  {
    id: 'mimo',
    label: 'Xiaomi MiMo',
    source: `${PI_DATA} xiaomi.json; AstrBotDevs/AstrBot#8267`,
    checkedOn: '2026-11-29',
    names: /^(?:xiaomi-)?mimo/,
    rules: { thinksByDefault: true, conversation: { reasoningText: 'required' } },
  },
  {
    id: 'nova-2',
    label: 'Amazon Nova 2',
    source: `${PYDANTIC} profiles/amazon.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:amazon-)?nova-2/,
    rules: { ...INLINED, ...NO_THINKING, conversation: { startsWithUser: true } },
  },
  {
    id: 'nova',
    label: 'Amazon Nova',
    source: `${PYDANTIC} profiles/amazon.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:amazon-)?nova/,
    rules: { ...INLINED, ...NO_THINKING, conversation: { startsWithUser: true } },
  },
  {
    id: 'gemma',
    label: 'Gemma',
    source: `${PYDANTIC} profiles/google.py; suitenumerique/conversations#197`,
    checkedOn: CHECKED_ON,
    names: /^gemma/,
    rules: { ...NO_THINKING, conversation: { startsWithUser: true, strictAlternation: true } },
  },
  {
    id: 'nemotron-3',
    label: 'Nemotron 3',
    source: `modelparams 0.0.53; ${PI_DATA} amazon-bedrock.json`,
    checkedOn: CHECKED_ON,
    names: /^(?:nvidia-)?nemotron-(?:(?:nano|super|ultra)-)?(?:3(?!\d)|lightning)/,
    rules: { thinksByDefault: true },
  },
  {
    id: 'command',
    label: 'Cohere Command',
    source: `${PYDANTIC} profiles/cohere.py`,
    checkedOn: CHECKED_ON,
    names: /^(?:c4ai-)?command/,
    rules: NO_THINKING,
  },
  {
    id: 'sonar-deep-research',
    label: 'Perplexity Sonar Deep Research',
    source: 'modelparams 0.0.53',
    checkedOn: CHECKED_ON,
    names: /^sonar-deep-research/,
    rules: { thinksByDefault: true },
  },
  {
    id: 'sonar',
    label: 'Perplexity Sonar',
    source: 'modelparams 0.0.53',
    checkedOn: CHECKED_ON,
    names: /^sonar/,
    rules: NO_THINKING,
  },
];
