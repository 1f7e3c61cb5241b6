/** The form of a protocol's replies around what the model says, errors among them. */
import type { Refusal } from '../platform/errors/refusal.ts';
import type { BegunReply } from './stream-reader.ts';

/** An error as it is sent. */
export interface RenderedError {
  readonly status: number;
  /**
   * JSON in UTF-8, always with content type application/json: an HTML error reads as an empty reply
   * in SDKs.
   */
  readonly bytes: Buffer;
  /**
   * False: send `x-should-retry: false`, which official SDKs obey before they look at the status.
   */
  readonly shouldRetry: boolean;
  /** More headers, such as the vendor's own. */
  readonly headers?: readonly (readonly [string, string])[];
}

/** Renders errors for a protocol's clients. */
export interface ErrorDialect {
  /** A refusal in the shape that the protocol's clients expect. */
  renderError(refusal: Refusal, requestId?: string): RenderedError;
  /**
   * A refusal as the last event of a stream that has begun.
   * @param begun what `beginReply` has begun, if the client has got it
   */
  renderErrorEvent(refusal: Refusal, requestId?: string, begun?: BegunReply | null): string;
}

/** The form of replies around what the model says. */
export interface ReplyDialect extends ErrorDialect {
  /** Bytes that keep a stream alive and mean nothing to the protocol's clients. */
  readonly keepAlive: string;
  /**
   * Begins a reply before there is any content, for clients that count nothing but events of the
   * protocol; absent: `keepAlive` is enough.
   */
  beginReply?(publicModel: string): BegunReply;
  /** The content type of streams that are no server-sent events. */
  readonly streamContentType?: string;
  /**
   * Puts server-sent events into the form in which the client reads a stream; absent: they are
   * sent as they are.
   * @param events whole ones, keep-alive events among them
   */
  readonly frame?: (events: string | Uint8Array) => Uint8Array;
  /** Streams are written in parts of events, so that nothing may be put between two writes. */
  readonly splitsEvents?: true;
  /** Further headers of replies, such as those that warn of a limit. */
  readonly furtherHeaders?: readonly (readonly [string, string])[];
  /** No error can be said within a stream: one that fails is broken off, for the client to see. */
  readonly breaksOff?: true;
  /** The reply of a `count` endpoint. */
  renderCount?(inputTokens: number): object;
  /** The header that carries the request id in addition to `x-request-id`. */
  readonly requestIdHeader?: string;
  /** The header that names the tier of processing in which the upstream says it served. */
  readonly tierHeader?: string;
}

/** The parts of a request's head that decide the form of its replies. */
export interface AskedFor {
  /** Without its "?"; '' when there is none. */
  query(): string;
  /** '' when absent. */
  header(lowerCaseName: string): string;
}
