const FLOAT_BYTES = 4;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Returns a vector as base64 of little-endian floats of 32 bits, as OpenAI's SDKs ask for it. */
export function base64Of(vector: readonly unknown[]): string {
  const bytes = Buffer.alloc(vector.length * FLOAT_BYTES);
  vector.forEach((value, index) => bytes.writeFloatLE(Number(value), index * FLOAT_BYTES));
  return bytes.toString('base64');
}

/** Returns the vector that such a text is; undefined when it is none. */
export function fromBase64(text: string): readonly number[] | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (!BASE64.test(text) || bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) {
    return undefined;
  }
  const vector: number[] = [];
  for (let at = 0; at < bytes.length; at += FLOAT_BYTES) vector.push(bytes.readFloatLE(at));
  return vector.every((value) => Number.isFinite(value)) ? vector : undefined;
}
