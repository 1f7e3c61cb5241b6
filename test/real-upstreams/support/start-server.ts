import { freePort } from '../../support/machine/free-port.ts';
import { makeTemporaryFolder, serverProcess } from '../../support/machine/server-process.ts';

export interface RealServer {
  /** The origin, without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface ServerCommand {
  readonly name: string;
  readonly command: string;
  readonly args: (port: number) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A path that it answers with 200 when it is ready. */
  readonly readyPath: string;
}

/** Starts a server of somebody else's on a port of its own; resolves when it is ready. */
export async function startServer(server: ServerCommand): Promise<RealServer> {
  const { name, command, args, env = {}, readyPath } = server;
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  const started = serverProcess({
    command,
    args: args(port),
    env,
    folder: makeTemporaryFolder(name),
    isReady: () => isOk(url + readyPath),
    signals: { stop: 'SIGTERM', abandon: 'KILL' },
  });
  await started.start();
  return { url, stop: () => started.stop() };
}

async function isOk(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
