/** Ids of replies that name who made them: OpenRouter, Claude on Bedrock or on Vertex AI. */
const VENDOR_PREFIX = /^(?:gen-|msg_(?:bdrk|vrtx)_)/;

/**
 * Returns a reply's id without what names its upstream.
 * @param prefix what such ids begin with at the vendor of the protocol
 */
export function maskId(id: string, prefix: string): string {
  return id.replace(VENDOR_PREFIX, prefix);
}
