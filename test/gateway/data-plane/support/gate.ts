import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Stands before an upstream and holds requests back, so that a test decides when they arrive there.
 */
export interface Gate {
  readonly url: string;
  /** Connections that wait; each has a request of its own. */
  readonly waiting: () => number;
  /**
   * Connections from now on wait again; those that were there are cut, so that none of them is
   * used.
   */
  shut(): void;
  /** Connections from now on do not wait. */
  pass(): void;
  /** And those that wait go on. */
  open(): void;
  close(): void;
}

/** A gate that is shut. */
export async function startGate(target: string): Promise<Gate> {
  const { hostname, port, pathname } = new URL(target);
  const waiting = new Set<Socket>();
  const sockets = new Set<Socket>();
  let passes = false;

  function goOn(client: Socket): void {
    waiting.delete(client);
    const upstream = connect(Number(port), hostname);
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  }

  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => waiting.delete(client));
    if (passes) goOn(client);
    else waiting.add(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    waiting: () => waiting.size,
    shut: () => {
      passes = false;
      for (const socket of sockets) socket.destroy();
    },
    pass: () => {
      passes = true;
    },
    open: () => {
      passes = true;
      for (const client of waiting) goOn(client);
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
