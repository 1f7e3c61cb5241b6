/** What was thrown, as a sentence for a log line or for whoever asked. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
