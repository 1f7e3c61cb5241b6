import { isOwnJsonObject, type OwnJsonObject } from '../../platform/json/json-value.ts';

/**
 * Finish reasons that say that the upstream failed: no program takes them for the end of half a
 * reply. `error`: OpenRouter, Mistral. `network_error`: Zhipu, docs.bigmodel.cn.
 * `insufficient_system_resource`: DeepSeek, api-docs.deepseek.com. `abort`: vLLM and SGLang, for a
 * request that was dropped there.
 */
const FAILED_REASONS: ReadonlySet<unknown> = new Set([
  'error',
  'network_error',
  'insufficient_system_resource',
  'abort',
]);

/** The first of a reply's or chunk's choices that failed; undefined when none did. */
export function failedChoice({ choices }: OwnJsonObject): OwnJsonObject | undefined {
  if (!Array.isArray(choices)) return undefined;
  for (const choice of choices as unknown[]) {
    if (isOwnJsonObject(choice) && FAILED_REASONS.has(choice['finish_reason'])) return choice;
  }
  return undefined;
}
