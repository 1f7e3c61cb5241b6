import {
  startAnthropicUpstream,
  type ScriptedReply,
} from '../../support/upstreams/anthropic-upstream.ts';
import { wire } from '../../support/clients/messages-wire.ts';
import { begunEvents, messagesEvents, readMessagesRequest, wholeMessage } from './messages-turn.ts';
import {
  CONTEXT_TOKENS_MAX,
  TOO_MANY_TOKENS,
  TURN_USAGE,
  type Failure,
  type ModelRequest,
  type ModelUpstream,
  type Turn,
} from './model-upstream.ts';

/** A model behind Anthropic's Messages. */
export async function startAnthropicModel(): Promise<ModelUpstream> {
  const upstream = await startAnthropicUpstream();
  const requests: ModelRequest[] = [];
  return {
    url: upstream.url,
    usage: TURN_USAGE,
    keepsProofs: true,
    requests,
    play: (script) => {
      requests.length = 0;
      upstream.script = (seen) => {
        if (seen.path.includes('count_tokens')) return { json: { input_tokens: 1_000 } };
        const request = readMessagesRequest(seen.body);
        requests.push(request);
        const turn = script(request);
        if (turn.failure !== undefined) return failureOf(turn.failure, turn);
        if (seen.body['stream'] === true) return { events: messagesEvents(turn) };
        return { json: wholeMessage(turn) };
      };
    },
    close: () => upstream.close(),
  };
}

function failureOf(failure: Failure, { text = '' }: Turn): ScriptedReply {
  const error = (status: number, type: string, message: string): ScriptedReply => ({
    status,
    headers: status === 400 ? {} : { 'retry-after': '1' },
    json: { type: 'error', error: { type, message } },
  });
  switch (failure) {
    case 'overloaded':
      return error(529, 'overloaded_error', 'Overloaded');
    case 'rate limited':
      return error(429, 'rate_limit_error', 'This request would exceed your rate limit.');
    case 'overflow': {
      const message = `prompt is too long: ${TOO_MANY_TOKENS} tokens > ${CONTEXT_TOKENS_MAX} maximum`;
      return error(400, 'invalid_request_error', message);
    }
    case 'cut at once':
      return { events: [], cut: true };
    case 'cut midway':
      return { events: begunEvents(text), cut: true };
    case 'error midway': {
      const overloaded = { type: 'overloaded_error', message: 'Overloaded' };
      return { events: [...begunEvents(text), wire('error', { error: overloaded })] };
    }
  }
}
