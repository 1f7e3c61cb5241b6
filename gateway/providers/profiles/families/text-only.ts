/**
 * Models that read no images, though others of their families do. Source:
 * `input` of @earendil-works/pi-ai 1.6.0 providers/data, read on 2026-11-29: of these names, every
 * vendor lists text alone. A name that vendors list both with and without images is not among them.
 */
import type { Rules } from '../rule-set.ts';

const NAMES: Readonly<Record<string, RegExp>> = {
  command: /^command-(?:r|a(?!-(?:plus|vision)))/,
  deepseek: /^(?!.*(?:ocr|vl|vision))/,
  'deepseek-r1': /^/,
  'deepseek-v4': /^deepseek-(?:v4-(?:pro|flash(?!-vision))|pro)/,
  glm: /^(?:zai-)?glm-\d(?:[.-]\d)?(?!v|[.-]\dv)/,
  'glm-5.2': /^/,
  'gpt-oss': /^/,
  'kimi-k2.7': /^kimi-k2-thinking/,
  llama: /^(?:meta-)?llama-?3(?:[.-][13](?!\d)|[.-]2[-:][13]b|[-:]\d+b)/,
  // XiaomiMiMo/MiMo#62: an image gets "404", as if there were no such model.
  mimo: /^(?:xiaomi-)?mimo-v2[.-]5-pro/,
  minimax: /^minimax-m[12](?!\d)/,
  mistral:
    /^(?:codestral|mixtral|open-mi[sx]tral|mistral-(?:nemo|saba)|devstral-(?:2512|2-123b|latest|medium))/,
  'moonshot-v1': /^kimi-k2(?!\.)/,
  'nemotron-3': /^(?!.*(?:omni|vl))/,
  nova: /nova-micro/,
  'qwen2.5': /^(?:codeqwen|qwen-?2\.5-(?:coder|\d))/,
  qwen3: /^qwen-?3[-:](?:\d+b|next|max)/,
  'qwen3-coder': /^(?!.*(?:omni|vl))/,
  'qwen3.7': /^qwen-?3[.-]7-max/,
};

/** The rules of a model that reads no images; they come behind those of its vendor. */
export const TEXT_ONLY: Rules = { media: { imageTypes: new Set() } };

/** Reports whether a model reads text alone. `name` is as `modelNameOf` writes it. */
export function isTextOnly(familyId: string, name: string): boolean {
  return NAMES[familyId]?.test(name) === true;
}
