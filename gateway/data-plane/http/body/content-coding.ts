import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import { isRefusal, refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { CODINGS_MAX, hasZlibHeader } from '../../../platform/network/content-coding.ts';

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const inflateBody: Decode = promisify(inflate);
const inflateRawBody: Decode = promisify(inflateRaw);

/** Content codings that a body may come in (RFC 9110, 8.4.1), and zstd (RFC 8878). */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  [
    'deflate',
    (bytes, options) =>
      hasZlibHeader(bytes[0] ?? 0) ? inflateBody(bytes, options) : inflateRawBody(bytes, options),
  ],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

/**
 * Returns a request's body decoded, or a refusal: 415 for a coding that is not known, 400 for bytes
 * that are not in it, 413 when the body is larger than the limit once decoded. A small body may
 * expand a thousandfold, so the decoder stops at the limit.
 * @param header the Content-Encoding header; '' when absent
 */
export async function decodeBody(
  body: Buffer,
  header: string,
  bytesMax: number,
): Promise<Buffer | Refusal> {
  const codings = codingsOf(header);
  if (codings.length > CODINGS_MAX) return notKnown(header);
  let bytes = body;
  // The last of several was applied last.
  for (const coding of codings.toReversed()) {
    const decoded = await decodeOnce(bytes, coding, bytesMax);
    if (isRefusal(decoded)) return decoded;
    bytes = decoded;
  }
  return bytes;
}

function codingsOf(header: string): string[] {
  const codings = header.split(',').map((coding) => coding.trim().toLowerCase());
  return codings.filter((coding) => coding !== '' && coding !== 'identity');
}

async function decodeOnce(
  body: Buffer,
  coding: string,
  bytesMax: number,
): Promise<Buffer | Refusal> {
  const decode = DECODERS.get(coding);
  if (decode === undefined) return notKnown(coding);
  try {
    return await decode(body, { maxOutputLength: bytesMax });
  } catch (error) {
    const tooLarge = error instanceof RangeError || codeOf(error) === 'ERR_BUFFER_TOO_LARGE';
    return tooLarge
      ? refuse(
          'request_too_large',
          `The request body is larger than ${bytesMax} bytes when it is decoded. Send fewer or smaller messages, or ask the operator to raise REQUEST_BODY_BYTES_MAX.`,
        )
      : refuse('invalid_json', `The body is not ${coding}, as its Content-Encoding says.`);
  }
}

const NAME_CHARACTERS_MAX = 64;

function notKnown(coding: string): Refusal {
  return refuse(
    'unsupported_media_type',
    `The Content-Encoding "${coding.slice(0, NAME_CHARACTERS_MAX)}" is not supported. Send the body without one, or as gzip, deflate, br or zstd.`,
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
