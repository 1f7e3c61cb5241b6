import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.ts';

const STDOUT = 1;

/** Log bytes kept while stdout is slower than we are; beyond it lines are dropped, not memory filled. */
const BUFFER_BYTES_MAX = 16 * 1_048_576;

/**
 * The largest write that a pipe takes in one piece (PIPE_BUF on Linux): several threads share stdout, and longer
 * writes could end up inside each other's lines.
 */
const PIPE_WRITE_BYTES_MAX = 4_096;
/** A file takes any write in one piece: Linux locks the file for it. Each write costs a trip to libuv's pool. */
const FILE_WRITE_BYTES_MAX = 65_536;

/** The longest piece of log that may be written at once without ending up inside another thread's lines. */
export const LOG_WRITE_BYTES_MAX = isFile(STDOUT) ? FILE_WRITE_BYTES_MAX : PIPE_WRITE_BYTES_MAX;

/** Nobody passes these on purpose; should somebody do it by mistake, they stay out of the log all the same. */
const SECRET_PATHS = [
  'key',
  'apiKey',
  'password',
  'secret',
  'authorization',
  'credential',
  'token',
];

const streams = new WeakMap<object, DestinationStream>();

/** Where a logger made here writes its lines; undefined for any other logger. */
export function logStreamOf(logger: Logger): DestinationStream | undefined {
  return streams.get(logger);
}

/**
 * The log of one thread. Lines are written asynchronously, so that a request never waits for the terminal.
 * @param stream where lines go instead of stdout, for tests.
 */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  bindings: Readonly<Record<string, string | number>>,
  stream: DestinationStream = stdoutStream(),
): Logger {
  const logger = pino(
    {
      level: config.logLevel,
      base: bindings,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: {
        paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)],
        censor: '[redacted]',
      },
    },
    stream,
  );
  streams.set(logger, stream);
  return logger;
}

/** Resolves when everything logged so far has been handed to the system. */
export function flushLog(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()));
}

function stdoutStream(): DestinationStream {
  if (isatty(STDOUT)) return pretty({ colorize: true, destination: STDOUT, sync: true });
  return destination({
    dest: STDOUT,
    sync: false,
    minLength: 0,
    maxLength: BUFFER_BYTES_MAX,
    maxWrite: LOG_WRITE_BYTES_MAX,
  });
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}
