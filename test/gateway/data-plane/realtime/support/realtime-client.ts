/** An event of a realtime session, as its client reads it. */
export interface SessionEvent {
  readonly type: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly param: string | null;
    readonly event_id: string | null;
  };
  readonly session?: { readonly model?: string };
  readonly response?: {
    readonly id: string;
    readonly status: string;
    readonly usage?: Readonly<Record<string, unknown>> | null;
  };
  readonly [field: string]: unknown;
}

export interface OpenedWith {
  /** Null sends none in a header. */
  readonly key: string | null;
  readonly query?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of a realtime session. */
export class RealtimeClient {
  readonly #socket: WebSocket;
  readonly events: SessionEvent[] = [];
  /** The server's close; null while the session is open. */
  closed: { readonly code: number; readonly reason: string } | null = null;
  #wake: () => void = () => undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.events.push(JSON.parse(String(data)) as SessionEvent);
      this.#wake();
    });
    socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason };
      this.#wake();
    });
  }

  /** Rejects when the upgrade is refused. */
  static async open(
    url: string,
    { key, query = '?model=voice', protocols = [], headers = {} }: OpenedWith,
  ): Promise<RealtimeClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime${query}`, {
      protocols: [...protocols],
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    });
    const client = new RealtimeClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('the upgrade was refused')));
    });
    return client;
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  send(event: object): void {
    this.sendRaw(JSON.stringify(event));
  }

  sendRaw(frame: string): void {
    this.#socket.send(frame);
  }

  /** Takes events up to the next one of these types, which it returns. */
  async next(...types: readonly string[]): Promise<SessionEvent> {
    for (;;) {
      const at = this.events.findIndex((event) => types.includes(event.type));
      const found = this.events[at];
      if (found !== undefined) {
        this.events.splice(0, at + 1);
        return found;
      }
      if (this.closed !== null) {
        throw new Error(`closed with ${this.closed.code} ${this.closed.reason}`);
      }
      await this.#change();
    }
  }

  async untilClosed(): Promise<{ readonly code: number; readonly reason: string }> {
    while (this.closed === null) await this.#change();
    return this.closed;
  }

  /** Closes the session without waiting for the server's close. */
  leave(): void {
    this.#socket.close();
  }

  async close(): Promise<void> {
    this.leave();
    await this.untilClosed();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
