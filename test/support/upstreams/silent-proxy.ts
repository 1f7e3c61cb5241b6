import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SilentProxy {
  readonly url: string;
  /** Swallows all that is sent over the connections of now, without closing them. New ones work. */
  silence(): void;
  /** Breaks the connections of now: what is under way over them is lost. New ones work. */
  cut(): void;
  /** Ends the connection over which such an answer comes, which is lost. Once. */
  cutAtAnswer(answer: RegExp): void;
  stop(): Promise<void>;
}

/** Stands before a server as a network does that may swallow packets or lose a connection. */
export async function startSilentProxy(target: string): Promise<SilentProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let cutAt: RegExp | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (from !== upstream || cutAt?.test(bytes.toString('latin1')) !== true) {
          to.write(bytes);
          return;
        }
        cutAt = undefined;
        from.destroy();
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence: () => {
      for (const socket of sockets) socket.removeAllListeners('data').resume();
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    cutAtAnswer: (answer) => {
      cutAt = answer;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
