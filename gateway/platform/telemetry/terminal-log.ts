import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import type { DestinationStream } from 'pino';

/** Carries the lines of all other threads to the main thread. */
const CHANNEL = 'weir log';

/**
 * A log for a terminal: the main thread formats every line. The other threads send it theirs
 * unformatted, since each thread that loads pino-pretty pays for it in memory and time.
 * @param output where formatted lines go
 */
export async function openTerminalLog(output: DestinationStream): Promise<DestinationStream> {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  if (!isMainThread) return { write: (text) => channel.postMessage(text) };
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ colorize: true });
  const writeLines = (text: string): void => {
    for (const line of text.split('\n')) if (line !== '') output.write(format(line));
  };
  channel.onmessage = ({ data }: { readonly data: unknown }) => {
    if (typeof data === 'string') writeLines(data);
  };
  return { write: writeLines };
}
