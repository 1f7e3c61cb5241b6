/** WebAssembly file system errors that an operator can fix. */
const ERRNO_TEXTS: ReadonlyMap<unknown, string> = new Map([
  [2, 'permission denied'],
  [19, 'disk quota exceeded'],
  [33, 'too many open files'],
  [51, 'no space left on device'],
  [69, 'read-only file system'],
]);

/**
 * The message of an error of the embedded database. File system errors are no Error objects: they
 * have a number and no message.
 */
export function embeddedErrorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error !== 'object' || error === null || !('errno' in error)) return String(error);
  return ERRNO_TEXTS.get(error.errno) ?? `error ${String(error.errno)} of its files`;
}
