/** The fake upstream's behaviour for one request. Plain data, so that it also travels as JSON. */
export type Behaviour = Reply | StatusReply | RawReply | Flood | Echo;

interface Timing {
  /** Nothing is sent for this long. */
  readonly headersDelayMs?: number;
  /** Added to the response's headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The ways in which a body can break. */
export type BrokenEnd =
  /** The connection is reset (RST). */
  | 'reset'
  /** The body ends in good order, but early: a stream without `[DONE]`. */
  | 'eof'
  /** Nothing more comes, and the connection stays open. */
  | 'hang'
  /**
   * An error event instead of what is missing, then the end. Streams only; otherwise as `reset`.
   */
  | 'error_event';

/** A chat completion: streamed or whole, as the request asks. */
export interface Reply extends Timing {
  readonly kind: 'reply';
  /** The text, in the pieces a stream sends it in; a number makes that many pieces. */
  readonly pieces?: number | readonly string[];
  readonly pieceDelayMs?: number;
  readonly toolCalls?: readonly {
    readonly id: string;
    readonly name: string;
    /** Fragments of the arguments' JSON text. */
    readonly fragments: readonly string[];
  }[];
  readonly finishReason?: string;
  /** `absent` reports none; an object is reported as it is, however impossible. */
  readonly usage?: 'present' | 'absent' | Readonly<Record<string, unknown>>;
  /** The usage chunk of a stream comes when asked for (the real API) or always (some others). */
  readonly usageChunk?: 'when_asked' | 'always';
  readonly end?: 'done' | BrokenEnd;
  /**
   * With a broken end: how many events of the stream go out before it. 0 is not even the role
   * chunk, 1 the role chunk only. A whole reply is cut in half. All events when left out.
   */
  readonly cutAfterEvents?: number;
  /** The `error` of an error event. */
  readonly error?: Readonly<Record<string, unknown>>;
}

/** An error reply, or any other that is a status and a body. */
export interface StatusReply extends Timing {
  readonly kind: 'status';
  readonly status: number;
  /** A string goes out as it is; anything else as JSON; an OpenAI error body when left out. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** The Retry-After header: seconds, or an HTTP date. */
  readonly retryAfter?: string;
}

/** Exact bytes: recorded streams, odd framing, HTML where JSON was expected. */
export interface RawReply extends Timing {
  readonly kind: 'raw';
  readonly status?: number;
  readonly contentType?: string;
  readonly pieces: readonly string[];
  readonly pieceDelayMs?: number;
  readonly end?: 'eof' | 'reset' | 'hang';
}

/**
 * A stream of content chunks as fast as the reader takes them: shows whether backpressure arrives.
 */
export interface Flood extends Timing {
  readonly kind: 'flood';
  /** At least this many bytes of events are sent, then a proper end. */
  readonly bytes: number;
  /** Bytes of text in each chunk. */
  readonly pieceBytes?: number;
}

/**
 * A reply whose text is the JSON of the request as it arrived: `{ method, path, headers, body }`.
 */
export interface Echo extends Timing {
  readonly kind: 'echo';
}

export const DEFAULT_BEHAVIOUR: Reply = {
  kind: 'reply',
  pieces: ['Hello', ' from', ' the', ' fake', ' upstream', '.'],
};

/** An HTML page with status 200: what a captive portal or a wrong base address answers. */
export const HTML_REPLY: RawReply = {
  kind: 'raw',
  contentType: 'text/html; charset=utf-8',
  pieces: ['<!doctype html><title>Welcome</title><p>This is not an API.'],
};

const SCRIPT_PREFIX = 'fake:';

/**
 * Reads a behaviour from a model name, for load generators that have no other channel:
 * `fake:pieces=20,delay=10,usage=absent,status=503,headers=200,flood=1000000`. Undefined for other
 * names.
 */
export function behaviourFromModel(model: string): Behaviour | undefined {
  if (!model.startsWith(SCRIPT_PREFIX)) return undefined;
  const settings = new Map(
    model
      .slice(SCRIPT_PREFIX.length)
      .split(',')
      .map((pair): [string, string] => {
        const [name = '', value = ''] = pair.split('=');
        return [name, value];
      }),
  );
  const number = (name: string, fallback: number): number => Number(settings.get(name) ?? fallback);
  const timing = { headersDelayMs: number('headers', 0) };
  if (settings.has('status')) return { kind: 'status', status: number('status', 500), ...timing };
  if (settings.has('flood')) return { kind: 'flood', bytes: number('flood', 0), ...timing };
  return {
    kind: 'reply',
    pieces: number('pieces', 6),
    pieceDelayMs: number('delay', 0),
    usage: settings.get('usage') === 'absent' ? 'absent' : 'present',
    ...timing,
  };
}
