import { EVENT_STREAM_TYPE } from '../../../platform/event-stream/frame.ts';
import type { ReplyDialect } from '../../dialect.ts';
import type { CloudPath } from '../../endpoint.ts';
import { renderBedrockError, withoutForbidden } from './bedrock-errors.ts';
import { frameForBedrock } from './bedrock-frame.ts';
import { TIER_HEADER } from '../wire/cloud-members.ts';

/**
 * Returns the form of replies to a cloud's clients.
 * @param messages that of Messages, whose events all streams have
 */
export function cloudDialects(
  messages: ReplyDialect,
): Readonly<Record<CloudPath['name'], ReplyDialect>> {
  const same: ReplyDialect = {
    ...messages,
    renderError: (refusal, requestId) => messages.renderError(withoutForbidden(refusal), requestId),
  };
  return {
    messages: same,
    vertex: same,
    bedrock: {
      ...messages,
      streamContentType: EVENT_STREAM_TYPE,
      requestIdHeader: 'x-amzn-requestid',
      tierHeader: TIER_HEADER,
      renderError: renderBedrockError,
      renderCount: (inputTokens) => ({ inputTokens }),
      frame: frameForBedrock,
    },
  };
}
