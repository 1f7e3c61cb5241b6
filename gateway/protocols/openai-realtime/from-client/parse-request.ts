import type { Refusal } from '../../../platform/errors/refusal.ts';
import { checkModel } from '../../fields/field-checks.ts';
import { invalidValue, missing } from '../../fields/field-faults.ts';
import type { ParsedRequest, RequestHead, RequestLimits } from '../../protocol.ts';

const NO_METERS: readonly never[] = [];
const NO_BYTES = Buffer.alloc(0);

/** The context and the limit of one reply. */
export interface ReplySize {
  readonly promptTokensBound: number;
  readonly promptTokensEstimate: number;
  /** Null where the client has set none. */
  readonly maxOutputTokens: number | null;
}

/** Returns the request for one reply of a session. */
export function replyRequest(model: string, size: ReplySize): ParsedRequest {
  return {
    model,
    stream: true,
    // Limits are set for whole sessions and say little about one reply.
    heldInSlices: true,
    meters: NO_METERS,
    conversation: null,
    choices: 1,
    textTokensBound: size.promptTokensBound,
    // What was said is at the upstream: its last report, and the bytes since, say the most.
    promptTokensCounted: size.promptTokensEstimate,
    hasUnboundedParts: false,
    bytes: NO_BYTES,
    ...size,
  };
}

/** Reads the request for a session: the query names its model. */
export function parseRequest(
  _body: Buffer,
  head: RequestHead,
  limits: RequestLimits,
): ParsedRequest | Refusal {
  const query = new URLSearchParams(head.query);
  const model = head.pathModel ?? query.get('model');
  if (model === null) {
    return missing(
      'model',
      '"model" is missing. Put ?model= and the ID of a model in the address.',
    );
  }
  const fault = checkModel('model', model, limits) ?? checkQuery(query);
  const size = { promptTokensBound: 1, promptTokensEstimate: 1, maxOutputTokens: 1 };
  return fault ?? replyRequest(model, size);
}

function checkQuery(query: URLSearchParams): Refusal | undefined {
  if (query.has('call_id')) {
    return invalidValue(
      'call_id',
      'A call cannot be joined here: its money would pass Weir by. Open a session with ?model=.',
    );
  }
  const intent = query.get('intent');
  if (intent === null || intent === 'conversation') return undefined;
  return invalidValue(
    'intent',
    'Sessions that only transcribe are not served. Open a session with ?model= and set audio.input.transcription, or send the sound to /v1/audio/transcriptions.',
  );
}
