/**
 * Some editors, PowerShell and servers on Windows put a mark in front of UTF-8; JSON.parse does not
 * know it.
 */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
