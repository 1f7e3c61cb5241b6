import {
  startFakeGoogle,
  type GoogleReply,
  type GoogleRequest,
} from '../../support/upstreams/fake-google/fake-google.ts';
import { claudeError, platformError } from '../../support/upstreams/fake-google/refusals.ts';
import { wire } from '../../support/clients/messages-wire.ts';
import { begunEvents, messagesEvents, readMessagesRequest, wholeMessage } from './messages-turn.ts';
import {
  CONTEXT_TOKENS_MAX,
  TOO_MANY_TOKENS,
  TURN_USAGE,
  type Failure,
  type ModelRequest,
  type ModelUpstream,
} from './model-upstream.ts';

/** A Claude at Vertex AI. */
export async function startVertexModel(): Promise<ModelUpstream> {
  const google = await startFakeGoogle();
  const requests: ModelRequest[] = [];
  return {
    url: google.baseUrl(),
    credential: google.keyFile,
    usage: TURN_USAGE,
    keepsProofs: true,
    requests,
    play: (script) => {
      requests.length = 0;
      google.reply = ({ model, method, body }: GoogleRequest): GoogleReply => {
        if (model === 'count-tokens') return { json: { input_tokens: 1_000 } };
        const request = { ...readMessagesRequest(body), model };
        requests.push(request);
        const turn = script(request);
        if (turn.failure !== undefined) return failureOf(turn.failure, turn.text ?? '');
        if (method === 'streamRawPredict') return { events: messagesEvents(turn) };
        return { json: wholeMessage(turn) };
      };
    },
    close: () => google.close(),
  };
}

function failureOf(failure: Failure, text: string): GoogleReply {
  const refused = (refusal: { status: number; body: unknown }): GoogleReply => ({
    status: refusal.status,
    json: refusal.body,
  });
  switch (failure) {
    case 'overloaded':
      return refused(claudeError(529, 'overloaded_error', 'Overloaded'));
    case 'rate limited': {
      const message = 'Resource exhausted, please try again later.';
      return refused(platformError(429, 'RESOURCE_EXHAUSTED', message));
    }
    case 'overflow': {
      const message = `prompt is too long: ${TOO_MANY_TOKENS} tokens > ${CONTEXT_TOKENS_MAX} maximum`;
      return refused(claudeError(400, 'invalid_request_error', message));
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
