import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/** Keys of ids that Weir alone can read and make. */
export interface OpaqueIdKeys {
  readonly mac: Buffer;
  readonly cipher: Buffer;
}

const CIPHER = 'aes-256-ctr';
const IV_BYTES = 16;

/**
 * Encrypts a text to an id that only its owner can use. The nonce is a digest of text and owner
 * (as in RFC 5297), so that the same text has the same id, and a changed one is recognised.
 */
export function sealId({ mac, cipher }: OpaqueIdKeys, text: string, owner: string): string {
  const nonce = digest(mac, text, owner);
  const encrypting = createCipheriv(CIPHER, cipher, nonce);
  const encrypted = [encrypting.update(text, 'utf8'), encrypting.final()];
  return Buffer.concat([nonce, ...encrypted]).toString('base64url');
}

/** Returns the text of an id; undefined when it is another owner's, or none of ours. */
export function openId(
  { mac, cipher }: OpaqueIdKeys,
  id: string,
  owner: string,
): string | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length <= IV_BYTES) return undefined;
  const nonce = bytes.subarray(0, IV_BYTES);
  const decrypting = createDecipheriv(CIPHER, cipher, nonce);
  const plain = [decrypting.update(bytes.subarray(IV_BYTES)), decrypting.final()];
  const text = Buffer.concat(plain).toString('utf8');
  return timingSafeEqual(digest(mac, text, owner), nonce) ? text : undefined;
}

function digest(mac: Buffer, text: string, owner: string): Buffer {
  const hmac = createHmac('sha256', mac).update(`${owner}\n`).update(text);
  return hmac.digest().subarray(0, IV_BYTES);
}
