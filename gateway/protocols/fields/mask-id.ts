/** Ids of replies that say where they were made: by OpenRouter, by Claude on Bedrock or Vertex AI. */
const TELLING = /^(?:gen-|msg_(?:bdrk|vrtx)_)/;

/**
 * Returns a reply's id without what names its upstream.
 * @param prefix what such ids begin with at the vendor of the protocol
 */
export function maskId(id: string, prefix: string): string {
  return id.replace(TELLING, prefix);
}
