import { isAscii, isUtf8, transcode } from 'node:buffer';

/** Node.js decodes shorter texts quickly, whatever their letters. */
const QUICK_BYTES_MAX = 512;

/**
 * Decodes UTF-8 like `bytes.toString('utf8')`, whose time per byte grows eightfold behind the first
 * letter that is not ASCII.
 */
export function utf8Text(bytes: Buffer): string {
  const isQuick = bytes.length <= QUICK_BYTES_MAX || isAscii(bytes) || !isUtf8(bytes);
  return isQuick ? bytes.toString('utf8') : transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
}

/**
 * Some editors, PowerShell and servers on Windows put a mark in front of UTF-8; JSON.parse does not
 * know it.
 */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
