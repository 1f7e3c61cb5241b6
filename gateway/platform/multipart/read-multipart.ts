import type { StoredContent } from './form-file.ts';
import { readParameters } from './read-boundary.ts';

/** One part of a form. */
export interface FormPart {
  readonly name: string;
  /** Null of a field that is no file. */
  readonly filename: string | null;
  /** The media type as declared; '' if none is. */
  readonly contentType: string;
  /** Within the body: nothing is copied. Empty if the content is stored. */
  readonly content: Buffer;
  /** The content of a large file, which is on disk; null: it is in memory. */
  readonly stored: StoredContent | null;
  /** Bytes of the content, wherever it is. */
  readonly size: number;
}

export interface MultipartLimits {
  readonly partsMax: number;
  /** Bytes of a field that is no file. */
  readonly fieldBytesMax: number;
}

/**
 * Lists of fifty names and references are the longest forms in use, and prompts of 32,000
 * characters the longest fields.
 */
export const FORM_LIMITS: MultipartLimits = { partsMax: 128, fieldBytesMax: 128 * 1024 };

/** A body that is no form within the limits, in words for the client. */
export interface MultipartFault {
  readonly fault: string;
}

/** The most bytes that the headers of one part have. */
export const HEADER_BYTES_MAX = 8 * 1024;
export const END_OF_HEADERS = '\r\n\r\n';
export const ENDLESS_HEADERS: MultipartFault = {
  fault: 'The headers of a part have no end, or are too long.',
};
/** Encodings that leave bytes as they are. Others are obsolete (RFC 7578, section 4.7). */
const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);
const NONE_STORED: ReadonlyMap<number, StoredContent> = new Map();
const CONTROL_CHARACTERS = /[\0-\x1f\x7f]/;

/**
 * Reads a body of multipart/form-data (RFC 7578). The contents of its parts remain where they are
 * in the body. A form that two readers could take in two ways is refused: with bytes in front of
 * the first part, a boundary that goes on, a header or a parameter that is there twice.
 * @param storedAt the contents that are not in the body, by the places in it where they belong
 */
export function readMultipart(
  body: Buffer,
  boundary: string,
  { partsMax, fieldBytesMax }: MultipartLimits,
  storedAt: ReadonlyMap<number, StoredContent> = NONE_STORED,
): readonly FormPart[] | MultipartFault {
  const parts: FormPart[] = [];
  const delimiter = `\r\n--${boundary}`;
  const opening = delimiter.slice(2);
  if (body.toString('latin1', 0, opening.length) !== opening) {
    return { fault: 'The body does not begin with the boundary that the Content-Type names.' };
  }
  let at = opening.length;
  for (;;) {
    const next = afterDelimiter(body, at);
    if (next === 'end') return parts;
    if (next === undefined) return { fault: 'The boundary occurs within a part of the form.' };
    if (parts.length === partsMax) return tooManyParts(partsMax);
    const headersEnd = body.subarray(0, next + HEADER_BYTES_MAX).indexOf(END_OF_HEADERS, next);
    if (headersEnd === -1) return ENDLESS_HEADERS;
    const contentBegin = headersEnd + END_OF_HEADERS.length;
    // A part without content ends with the line break of its headers.
    const contentEnd = body.indexOf(delimiter, headersEnd + 2, 'latin1');
    if (contentEnd === -1) return { fault: 'The form ends before its closing boundary.' };
    const content = body.subarray(contentBegin, Math.max(contentBegin, contentEnd));
    const stored = storedAt.get(contentBegin) ?? null;
    const part = readPart(body.toString('utf8', next, headersEnd), content, stored);
    if ('fault' in part) return part;
    if (part.filename === null && part.size > fieldBytesMax) {
      return { fault: `The field "${part.name}" is larger than ${fieldBytesMax} bytes.` };
    }
    parts.push(part);
    at = contentEnd + delimiter.length;
  }
}

export function tooManyParts(partsMax: number): MultipartFault {
  return { fault: `The form has more than ${partsMax} parts.` };
}

/** Returns the place behind a boundary's line, or `end`; undefined if the boundary goes on. */
function afterDelimiter(body: Buffer, at: number): number | 'end' | undefined {
  const two = body.toString('latin1', at, at + 2);
  if (two === '\r\n') return at + 2;
  return two === '--' ? 'end' : undefined;
}

function readPart(
  headerText: string,
  content: Buffer,
  stored: StoredContent | null,
): FormPart | MultipartFault {
  const headers = new Map<string, string>();
  for (const line of headerText.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || CONTROL_CHARACTERS.test(line) || /\s/.test(name) || headers.has(name)) {
      return { fault: 'A part of the form has a header that cannot be read.' };
    }
    headers.set(name, line.slice(colon + 1).trim());
  }
  const disposition = headers.get('content-disposition') ?? '';
  const parameters = readParameters(disposition);
  const name = parameters?.get('name');
  if (!/^form-data\s*;/i.test(disposition) || name === undefined || parameters === undefined) {
    return { fault: 'A part of the form has no name: "Content-Disposition: form-data; name=…".' };
  }
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary';
  if (!PLAIN_ENCODINGS.has(encoding)) {
    return { fault: `The part "${name}" has a Content-Transfer-Encoding. Send plain bytes.` };
  }
  return {
    name: unescapeName(name),
    filename: filenameOf(parameters),
    contentType: headers.get('content-type') ?? '',
    content,
    stored,
    size: stored?.length ?? content.length,
  };
}

function filenameOf(parameters: ReadonlyMap<string, string>): string | null {
  const plain = parameters.get('filename');
  if (plain !== undefined) return unescapeName(plain);
  // RFC 5987: a charset, a language, and the name in percent-encoding.
  const extended = parameters.get('filename*')?.split("'").at(-1);
  if (extended === undefined) return null;
  try {
    return decodeURIComponent(extended);
  } catch {
    return extended;
  }
}

/** Browsers escape these three in names, and nothing else. */
function unescapeName(name: string): string {
  return name.replaceAll('%22', '"').replaceAll(/%0d/gi, '\r').replaceAll(/%0a/gi, '\n');
}
