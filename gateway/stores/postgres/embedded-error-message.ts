/** The error numbers of WebAssembly's file systems that an operator can do something about. */
const ERRNO_TEXTS: ReadonlyMap<unknown, string> = new Map([
  [2, 'permission denied'],
  [19, 'disk quota exceeded'],
  [33, 'too many open files'],
  [51, 'no space left on device'],
  [69, 'read-only file system'],
]);

/** What an error of the embedded database says. Those of its files are no Error: they have a number, and no message. */
export function embeddedErrorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  if (typeof error !== 'object' || error === null || !('errno' in error)) return String(error);
  return ERRNO_TEXTS.get(error.errno) ?? `error ${String(error.errno)} of its files`;
}
