/** Returns a server-sent event of Anthropic's, whose name is its type. */
export function namedEvent(type: string, json: string): string {
  return `event: ${type}\ndata: ${json}\n\n`;
}
