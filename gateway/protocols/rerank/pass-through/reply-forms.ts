import type { ReplyForms } from '../../protocol.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';

/** Rankings are not streamed. */
export const rerankForms: ReplyForms = {
  toStream: () => undefined,
  toWhole: () => ENDED_EARLY,
};
