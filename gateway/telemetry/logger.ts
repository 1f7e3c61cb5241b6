import { isatty } from 'node:tty';
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/config.ts';

const STDOUT = 1;
/** Log bytes kept while stdout is slower than we are; beyond it lines are dropped, not memory filled. */
const BUFFER_BYTES_MAX = 16 * 1_048_576;

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

/** The log of one thread. Lines are written asynchronously, so that a request never waits for the terminal. */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  bindings: Readonly<Record<string, string | number>>,
): Logger {
  return pino(
    {
      level: config.logLevel,
      base: bindings,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      redact: {
        paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)],
        censor: '[redacted]',
      },
    },
    logStream(),
  );
}

function logStream(): DestinationStream {
  if (isatty(STDOUT)) return pretty({ colorize: true, destination: STDOUT, sync: true });
  return destination({ dest: STDOUT, sync: false, minLength: 0, maxLength: BUFFER_BYTES_MAX });
}
