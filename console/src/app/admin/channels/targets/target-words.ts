import type { TargetOmission } from '@weir/shared/catalog/targets';
import type { PlainKey } from '../../../core/i18n/i18n';

/** Texts for what a profile leaves out. */
export const OMISSION_WORDS: Readonly<Record<TargetOmission, PlainKey>> = {
  thinking: 'targets.omits.thinking',
  thinking_with_tools: 'targets.omits.thinkingWithTools',
  sampling: 'targets.omits.sampling',
  sampling_while_thinking: 'targets.omits.samplingWhileThinking',
  top_k: 'targets.omits.topK',
  penalties: 'targets.omits.penalties',
  seed: 'targets.omits.seed',
  verbosity: 'targets.omits.verbosity',
  cache_key: 'targets.omits.cacheKey',
  user_id: 'targets.omits.userId',
  parallel_switch: 'targets.omits.parallelSwitch',
  strict_tools: 'targets.omits.strictTools',
};
