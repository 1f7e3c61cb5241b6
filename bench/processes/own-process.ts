import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * A program of the bench in a process of its own. It ends when this process ends, in whatever way.
 */
export interface OwnProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Variables besides those of this process. */
type Environment = Readonly<Record<string, string>>;

/**
 * Starts `program` (a file next to this folder, such as `load/driver-process.ts`) with an IPC
 * channel.
 */
export function startOwnProcess(
  program: string,
  args: readonly string[] = [],
  env: Environment = {},
): OwnProcess {
  const child = fork(new URL(`../${program}`, import.meta.url), args, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, ...env },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  if (child.pid === undefined) throw new Error(`bench/${program} did not start.`);
  return {
    child,
    pid: child.pid,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      // Every program of the bench ends when its channel to us closes.
      child.disconnect();
      await exited;
    },
  };
}

/** Starts a server of the bench; the first message it sends names its port. */
export async function startOwnServer(
  program: string,
  args: readonly string[] = [],
  env: Environment = {},
): Promise<OwnProcess & { readonly port: number }> {
  const started = startOwnProcess(program, args, env);
  const port = await new Promise<number>((resolve, reject) => {
    started.child.once('message', (message) => {
      resolve((message as { port: number }).port);
    });
    started.child.once('exit', (code) => {
      reject(new Error(`bench/${program} ended with code ${String(code)} before it was ready.`));
    });
  });
  return { ...started, port };
}
