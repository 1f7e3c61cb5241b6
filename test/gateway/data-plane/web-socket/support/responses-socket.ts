/** An event of a Responses socket. */
export interface SocketEvent {
  readonly type: string;
  readonly status?: number;
  readonly error?: { readonly code: string; readonly message: string };
  readonly response?: {
    readonly id: string;
    readonly output: readonly object[];
    readonly usage: { readonly input_tokens: number; readonly output_tokens: number } | null;
  };
  readonly [field: string]: unknown;
}

const ENDS = ['response.completed', 'response.incomplete', 'response.failed', 'error'];

/** A client of Responses over WebSocket. */
export class ResponsesSocket {
  readonly #socket: WebSocket;
  readonly #events: SocketEvent[] = [];
  #wake: () => void = () => undefined;
  /** The code that the server has closed with; null while the socket is open. */
  closeCode: number | null = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      this.#events.push(JSON.parse(String(data)) as SocketEvent);
      this.#wake();
    });
    socket.addEventListener('close', ({ code }) => {
      this.closeCode = code;
      this.#wake();
    });
  }

  /** Rejects when the upgrade is refused. */
  static async open(url: string, key: string): Promise<ResponsesSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const client = new ResponsesSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('the upgrade was refused')));
    });
    return client;
  }

  /** Sends a `response.create`. */
  send(body: object): void {
    this.sendRaw(JSON.stringify({ type: 'response.create', ...body }));
  }

  sendRaw(frame: string | Uint8Array): void {
    this.#socket.send(frame);
  }

  /** Returns the events of the next reply, up to the one that ends it. */
  async reply(): Promise<readonly SocketEvent[]> {
    for (;;) {
      const end = this.#events.findIndex(({ type }) => ENDS.includes(type));
      if (end !== -1) return this.#events.splice(0, end + 1);
      if (this.closeCode !== null) throw new Error(`closed with ${this.closeCode}`);
      await this.#next();
    }
  }

  /** Sends a request and returns the event that ends its reply. */
  async ask(body: object): Promise<SocketEvent> {
    this.send(body);
    const end = (await this.reply()).at(-1);
    if (end === undefined) throw new Error('a reply without an end');
    return end;
  }

  /** Resolves with the code that the server closes with. */
  async untilClosed(): Promise<number> {
    while (this.closeCode === null) await this.#next();
    return this.closeCode;
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.untilClosed();
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
