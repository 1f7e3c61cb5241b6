/** Returns text in UTF-8, and bytes as a Buffer on the same memory. */
export function asBuffer(data: string | Uint8Array): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
