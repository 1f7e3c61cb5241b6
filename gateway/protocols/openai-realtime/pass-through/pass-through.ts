import type { Codec } from '../../protocol.ts';
import { ENDED_EARLY } from '../../sse/reply-form.ts';

/** Sessions have no requests over HTTP: the codec says which upstreams serve them. */
export const passThrough: Codec = {
  upstreamProtocol: 'openai-realtime',
  encode: ({ bytes }) => ({ body: bytes }),
  decode: () => undefined,
  forms: { toStream: () => undefined, toWhole: () => ENDED_EARLY },
  openStream: () => {
    throw new Error('a realtime session is no stream of HTTP');
  },
};
