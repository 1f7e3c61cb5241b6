import { anthropic } from '../../../gateway/providers/anthropic/provider.ts';
import type { Provider } from '../../../gateway/providers/provider.ts';

/** A provider whose frames are events already. */
export const CONVERSE: Provider = {
  ...anthropic,
  speaks: ['bedrock-converse'],
  path: (_protocol, _operation, model) => `/model/${encodeURIComponent(model)}/converse`,
  streamPath: (_protocol, model) => `/model/${encodeURIComponent(model)}/converse-stream`,
};
