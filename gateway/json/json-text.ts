/**
 * The same text in one piece. V8 keeps what was put together as a tree, and what was cut out as a reference; where a text goes
 * into thousands of others, each of them pays for that.
 */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}

/** An object's JSON without its braces, in one piece: to be put among other members. */
export function membersJson(object: object): string {
  return inOnePiece(JSON.stringify(object).slice(1, -1));
}
