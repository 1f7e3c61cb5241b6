import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import type { Codec, ParsedRequest, Reply, ReplyTerms } from '../../protocols/protocol.ts';
import { formOf, withoutDoneEvent } from '../../protocols/sse/reply-form.ts';
import type { Provider } from '../../providers/provider.ts';

const DATA_FIELD = 'data:';

/**
 * Reads a body that is not the whole reply that was requested: a stream is gathered into a reply,
 * and an end marker after JSON is left out. The upstream charges for both.
 */
export function decodeUnrequestedForm(
  body: Buffer,
  request: ParsedRequest,
  {
    codec,
    provider,
    terms,
  }: { readonly codec: Codec; readonly provider: Provider; readonly terms?: ReplyTerms },
): Reply | UpstreamFailure {
  const { findFailure } = provider;
  const bare = withoutDoneEvent(body);
  const read = bare === body ? undefined : codec.decode(bare, request, findFailure, terms);
  if (read !== undefined) return read;
  const none: UpstreamFailure = {
    failed: 'bad_reply',
    detail: 'not a reply of the protocol',
    body,
  };
  const form = formOf(body);
  // An object that is no reply is an error, which the provider judges.
  const isStream = form === 'array' || (form === 'other' && body.includes(DATA_FIELD));
  if (!isStream) return none;
  const whole = codec.forms.toWhole(body, request.choices, findFailure);
  if (!Buffer.isBuffer(whole)) return whole;
  return codec.decode(whole, request, findFailure, terms) ?? none;
}
