/** The parts of `ws` that read and write frames; its own types leave them out. */
declare module 'ws' {
  import type { Duplex, Writable } from 'node:stream';

  export interface ReceiverOptions {
    readonly isServer: boolean;
    readonly maxPayload: number;
  }

  export interface ReceiverEvents {
    message: [data: Buffer, isBinary: boolean];
    ping: [data: Buffer];
    conclude: [code: number, reason: Buffer];
    error: [error: Error];
  }

  export class Receiver extends Writable {
    constructor(options: ReceiverOptions);
    on<Name extends keyof ReceiverEvents>(
      name: Name,
      listener: (...values: ReceiverEvents[Name]) => void,
    ): this;
  }

  export interface SendOptions {
    readonly fin: boolean;
    readonly binary: boolean;
    readonly mask: boolean;
    readonly compress: boolean;
  }

  export class Sender {
    constructor(socket: Duplex);
    send(data: Buffer | string, options: SendOptions): void;
    ping(data: Buffer, mask: boolean): void;
    pong(data: Buffer, mask: boolean): void;
    close(code: number | undefined, reason: string, mask: boolean): void;
  }
}
