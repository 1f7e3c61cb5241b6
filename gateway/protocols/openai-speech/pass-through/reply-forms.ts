import { parseOwnObject } from '../../../platform/json/json-value.ts';
import type { ReplyForms } from '../../protocol.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';

const PAGE = /^\s*<(?:!doctype|html)/i;

/** Sound may begin with the very bytes by which JSON and pages are known. */
export const speechForms: ReplyForms = {
  toStream: (body) => {
    const isPage = PAGE.test(body.toString('latin1', 0, 64));
    return isPage || parseOwnObject(body) !== undefined ? undefined : body;
  },
  toWhole: () => ENDED_EARLY,
};
