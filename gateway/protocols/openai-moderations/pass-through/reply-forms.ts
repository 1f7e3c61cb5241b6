import type { ReplyForms } from '../../protocol.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';

/** Moderations are not streamed. */
export const moderationForms: ReplyForms = {
  toStream: () => undefined,
  toWhole: () => ENDED_EARLY,
};
