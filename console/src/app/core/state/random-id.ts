const BYTES = 16;

/**
 * 128 random bits as hexadecimal. `crypto.randomUUID` would do, but browsers offer it only over
 * https, and a console on a private network may be served without.
 */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
