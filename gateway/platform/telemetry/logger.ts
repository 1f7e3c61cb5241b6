import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { pino, type DestinationStream, type Logger } from 'pino';
import { redactSecrets } from '@weir/shared/redact-secrets';
import type { Config } from '../config/config.ts';
import { LogFile } from './log-file.ts';

/** Carries the lines of all other threads to the main thread. */
const CHANNEL = 'weir log';

/**
 * A log for a terminal: the main thread formats every line. The other threads send it theirs
 * unformatted, since each thread that loads pino-pretty pays for it in memory and time.
 * @param output where formatted lines go
 */
async function openTerminalLog(output: DestinationStream): Promise<DestinationStream> {
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

const STDOUT = 1;

/**
 * Log bytes kept while stdout is slower than we are; beyond it lines are dropped, not memory
 * filled.
 */
const BUFFER_BYTES_MAX = 16 * 1_048_576;

/**
 * The largest write that a pipe takes in one piece (PIPE_BUF on Linux): several threads share
 * stdout, and longer writes could end up inside each other's lines.
 */
const PIPE_WRITE_BYTES_MAX = 4_096;
/**
 * A file takes any write in one piece: Linux locks the file for it. Each write costs a trip to
 * libuv's pool.
 */
const FILE_WRITE_BYTES_MAX = 65_536;

/**
 * The longest piece of log that may be written at once without ending up inside another thread's
 * lines.
 */
export const LOG_WRITE_BYTES_MAX = isFile(STDOUT) ? FILE_WRITE_BYTES_MAX : PIPE_WRITE_BYTES_MAX;

/**
 * No code passes these on purpose; if some does by mistake, they stay out of the log all
 * the same.
 */
const SECRET_PATHS = [
  'key',
  'apiKey',
  'password',
  'secret',
  'authorization',
  'credential',
  'token',
];

/**
 * A link that is handed on by hand, as no mail server is set: its token is meant to be read here.
 * Quotation marks inside a text are escaped, so that no text can have this form.
 */
const LINK = /("link":"[^"]*")/;

/** A line without the keys that texts of clients and upstreams, or an error's stack, contain. */
function redactLine(line: string): string {
  if (!line.includes('"link":"')) return redactSecrets(line);
  return line
    .split(LINK)
    .map((part) => (LINK.test(part) ? part : redactSecrets(part)))
    .join('');
}

const streams = new WeakMap<object, DestinationStream>();

const stdout = new LogFile({
  descriptor: STDOUT,
  writeBytesMax: LOG_WRITE_BYTES_MAX,
  bufferBytesMax: BUFFER_BYTES_MAX,
});
process.once('exit', () => stdout.flushSync());

const stdoutLog = isatty(STDOUT) ? await openTerminalLog(stdout) : stdout;

/** Returns the stream of a logger made here; undefined for any other logger. */
export function logStreamOf(logger: Logger): DestinationStream | undefined {
  return streams.get(logger);
}

/**
 * The log of one thread. Lines are written asynchronously, so that a request never waits for the
 * terminal.
 * @param stream where lines go instead of stdout, for tests.
 */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  bindings: Readonly<Record<string, string | number>>,
  stream: DestinationStream = stdoutLog,
): Logger {
  const logger = pino(
    {
      level: config.logLevel,
      base: bindings,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      hooks: { streamWrite: redactLine },
      redact: {
        paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)],
        censor: '[redacted]',
      },
    },
    stream,
  );
  streams.set(logger, stream);
  if (stream === stdoutLog) {
    stdout.onRecovered(({ cause, sinceMs, linesLost }) => {
      logger.error(
        { cause, since: new Date(sinceMs).toISOString(), linesLost },
        'the log could not be written for a while; check the disk or the program that reads it',
      );
    });
  }
  return logger;
}

/** Resolves when all lines of this thread are written, or cannot be written now. */
export function flushLog(): Promise<void> {
  return new Promise((resolve) => stdout.flush(resolve));
}

/**
 * Output besides the log must not end the process either: a full disk or a closed pipe is an
 * `error` event, and without a listener that is an uncaught exception.
 */
export function tolerateClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}
