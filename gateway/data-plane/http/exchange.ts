import type { Refusal } from '../../platform/errors/refusal.ts';
import type { ReplyDialect } from '../../protocols/dialect.ts';
import type { BodyBuffers } from './body/body-buffers.ts';
import type { HeaderList } from './exchange-context.ts';
import type { BodyLimits } from './body/incoming-body.ts';
import type { ReceivedForm, UploadLimits } from './body/incoming-form.ts';

/** The form of a stream's bytes; `keepAlive` may be anywhere between its events. */
export type StreamForm = Pick<ReplyDialect, 'keepAlive' | 'frame' | 'splitsEvents'>;

/**
 * One request of a client and its reply, over HTTP or as one turn of a WebSocket.
 *
 * Methods do nothing once the reply has ended or the client has left.
 */
export interface Exchange {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The client left before the reply had ended. */
  readonly aborted: boolean;
  /** The head of a stream has been sent. */
  readonly streaming: boolean;

  /** Returns a header's first line, '' when absent. Only before the handler's first await. */
  header(lowerCaseName: string): string;
  /**
   * Returns all lines of a header as one list, in their order, '' when there is none. Only before
   * the handler's first await. Of a header to which proxies add lines, the first line is the
   * client's to choose.
   */
  headerList(lowerCaseName: string): string;
  /** Returns the query string without "?". Only before the handler's first await. */
  query(): string;
  /** Returns the address of the connection's other end as text. */
  remoteAddress(): string;
  /** The listener is called at most once, when the client leaves before the reply has ended. */
  onAborted(listener: () => void): void;

  /**
   * Reads the whole body. Refuses one that is larger than the limit, by its declared length before
   * a byte of it is kept, one that does not arrive in time, and one for which there is no memory.
   * Must be called before the handler's first await. The caller owns the body and may give it back
   * to `buffers`.
   *
   * @param sender shares the memory for bodies with other senders
   */
  readBody(limits: BodyLimits, buffers: BodyBuffers, sender: string): Promise<Buffer | Refusal>;

  /**
   * The same of a form, whose large contents go to a file. The caller closes what it gets.
   * @param boundary of the form, as its content type names it
   */
  readForm(limits: UploadLimits, boundary: string, sender: string): Promise<ReceivedForm | Refusal>;

  /** Sends the whole reply. */
  reply(status: number, headers: HeaderList, body: string | Uint8Array): void;
  /**
   * Sends a head alone. `contentLength` is what a GET would have had; none for 204, which has no
   * such header.
   */
  replyWithoutBody(status: number, headers: HeaderList, contentLength?: number): void;
  /**
   * Sends the head of a stream and its first bytes. Returns what `write` does.
   * @param form of everything that is written from here on
   */
  startStream(headers: HeaderList, first: string | Uint8Array, form: StreamForm): boolean;
  /**
   * Sends whole events of a stream, or parts of them if its form splits them. False when the client
   * is slower than the upstream: wait for `onWritable`.
   */
  write(chunk: string | Uint8Array): boolean;
  /** The listener is called each time the client has taken everything that was written. */
  onWritable(listener: () => void): void;
  /** Sends a stream's last bytes, and ends it once the client has taken them. */
  endStream(last: string | Uint8Array): void;
  /** Ends a stream so that the client sees that something is missing. */
  breakOff(): void;
}
