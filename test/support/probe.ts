import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const REQUEST = 'GET /health HTTP/1.1\r\nhost: probe\r\n\r\n';
/** Its reply has a short body, which comes with its head. */
const REPLY = /\r\n\r\n[^]/;

/**
 * A connection of its own to one HTTP thread. A thread reads sockets in the order in which bytes
 * came, so when it has replied here, it has read what was sent before on any other connection.
 */
export class Probe {
  readonly #port: number;
  #socket: Socket | undefined;
  #text = '';

  constructor(port: number) {
    this.#port = port;
  }

  async untilRead(): Promise<void> {
    for (;;) {
      const socket = this.#socket ?? (await this.#open());
      this.#text = '';
      socket.write(REQUEST);
      while (!REPLY.test(this.#text) && this.#socket === socket) {
        await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      }
      if (REPLY.test(this.#text)) return;
    }
  }

  close(): void {
    this.#socket?.destroy();
  }

  /** Also again, when the server has closed it as idle. */
  async #open(): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    socket.on('data', (bytes: Buffer) => (this.#text += bytes.toString()));
    socket.on('close', () => (this.#socket = undefined));
    socket.on('error', () => undefined);
    this.#socket = socket;
    return socket;
  }
}
