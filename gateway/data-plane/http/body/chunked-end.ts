/**
 * The time that a reply waits for the rest of a chunked body. A client that sends first and reads
 * then would otherwise find its connection closed and lose the reply.
 */
const DRAIN_MS_MAX = 2_000;

/**
 * The end of one chunked body, and of its connection: uWS skips bytes behind it unseen, so what
 * follows could be taken for a request that no one sent.
 *
 * The reply waits until the body is over and uWS has returned from its parser. Before that, uWS
 * closes the connection at the next request; after the reply nothing is read any more.
 */
export class ChunkedEnd {
  /** The body has ended, and the parser has returned. */
  over = false;
  /** Something hands on the chunks; otherwise the end would go unseen. */
  watched = false;
  #reply: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Called with each chunk, inside the parser. `finishBody` is called outside of it. */
  chunk(isLast: boolean, finishBody?: () => void): void {
    if (isLast) setImmediate(() => this.#end(finishBody));
  }

  /** Sends the reply at the end of the body, or when it does not come. */
  replyThen(send: () => void): void {
    this.#reply = send;
    this.#timer = setTimeout(() => this.#sendReply(), DRAIN_MS_MAX);
  }

  /** Forgets the reply: the client has left. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#reply = undefined;
  }

  #end(finishBody: (() => void) | undefined): void {
    this.over = true;
    finishBody?.();
    this.#sendReply();
  }

  #sendReply(): void {
    const send = this.#reply;
    this.drop();
    send?.();
  }
}
