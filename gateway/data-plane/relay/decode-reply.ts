import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';
import type { Codec, ParsedRequest, Reply, ReplyTerms } from '../../protocols/protocol.ts';
import { formOf, withoutDoneEvent } from '../../protocols/sse/reply-form.ts';
import type { Provider } from '../../providers/provider.ts';

const DATA_FIELD = 'data:';

/**
 * Reads a whole reply, also one in another form than was requested: a stream is gathered into a
 * reply, and an end marker after JSON is left out. The upstream charges for both.
 */
export function decodeReply(
  body: Buffer,
  request: ParsedRequest,
  {
    codec,
    provider,
    terms,
  }: { readonly codec: Codec; readonly provider: Provider; readonly terms?: ReplyTerms },
): Reply | UpstreamFailure {
  const { findFailure } = provider;
  const whole = codec.decode(body, request, findFailure, terms);
  if (whole !== undefined) return whole;
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
  const gathered = codec.forms.toWhole(body, request.choices, findFailure);
  if (!Buffer.isBuffer(gathered)) return gathered;
  return codec.decode(gathered, request, findFailure, terms) ?? none;
}
