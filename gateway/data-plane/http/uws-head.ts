import type { HttpRequest } from 'uWebSockets.js';
import { asksToClose, uwsCloses } from './connection-end.ts';

/**
 * The head of a request. The uWS request lives only as long as the handler that got it: what a
 * reply needs is copied, the rest is read before the first await.
 */
export class UwsHead {
  readonly method: string;
  readonly path: string;
  readonly crossOrigin: boolean;
  readonly contentLength: string;
  /** The Transfer-Encoding header; '' for a body of a known length. */
  readonly transferCoding: string;
  /** The client has asked for the end of the connection. */
  readonly asksToClose: boolean;
  readonly uwsCloses: boolean;
  #req: HttpRequest | undefined;

  constructor(req: HttpRequest) {
    this.#req = req;
    this.method = req.getCaseSensitiveMethod();
    this.path = req.getUrl();
    this.crossOrigin = req.getHeader('origin') !== '';
    this.contentLength = req.getHeader('content-length');
    // A request with both is refused by uWS.
    this.transferCoding = this.contentLength === '' ? req.getHeader('transfer-encoding') : '';
    const connection = req.getHeader('connection');
    this.asksToClose = asksToClose(connection);
    this.uwsCloses = uwsCloses(connection);
  }

  /** The uWS request. Only before the handler's first await. */
  get request(): HttpRequest {
    if (this.#req === undefined) throw new Error('the head is read before the first await');
    return this.#req;
  }

  /** All lines of a header. */
  list(lowerCaseName: string): string {
    const lines: string[] = [];
    this.request.forEach((name, value) => {
      if (name === lowerCaseName) lines.push(value);
    });
    return lines.join(', ');
  }

  query(): string {
    // Without a query uWS answers undefined, whatever its types say.
    return this.request.getQuery() || '';
  }

  forget(): void {
    this.#req = undefined;
  }
}
