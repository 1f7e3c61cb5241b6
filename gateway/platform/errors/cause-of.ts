/** Returns a thrown value as a sentence for a log line or for the caller. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
