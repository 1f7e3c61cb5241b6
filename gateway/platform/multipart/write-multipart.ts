import { randomUUID } from 'node:crypto';
import type { StoredContent } from './form-file.ts';
import type { FormPart } from './read-multipart.ts';
import { StoredBody } from './stored-body.ts';

/** A form as it is sent. */
export interface WrittenForm {
  readonly contentType: string;
  /** All of it, or what is in memory of a form with stored contents. */
  readonly body: Buffer;
  /** All of a form with stored contents; absent of others. */
  readonly storedBody?: StoredBody;
}

/**
 * Writes a form with a boundary that no part can contain, since it is drawn after the parts are
 * known. Contents in memory are copied once; stored ones are read when the form is sent.
 * @param allocate memory for the body
 */
export function writeMultipart(
  parts: readonly FormPart[],
  allocate: (bytes: number) => Buffer,
): WrittenForm {
  const boundary = `weir-${randomUUID()}`;
  const pieces = parts.flatMap((part): (Buffer | StoredContent)[] => [
    Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`),
    part.stored ?? part.content,
    Buffer.from('\r\n'),
  ]);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  const kept = pieces.filter((piece) => Buffer.isBuffer(piece));
  const body = allocate(kept.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of kept) at += piece.copy(body, at);
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const storedBody = kept.length === pieces.length ? {} : { storedBody: new StoredBody(pieces) };
  return { contentType, body, ...storedBody };
}

/** A field that is no file: `name` and `value` as text. */
export function textPart(name: string, value: string): FormPart {
  const content = Buffer.from(value);
  const size = content.length;
  return { name, filename: null, contentType: '', content, stored: null, size };
}

function headersOf({ name, filename, contentType }: FormPart): string {
  const file = filename === null ? '' : `; filename="${escapeName(filename)}"`;
  const type = contentType === '' ? '' : `\r\nContent-Type: ${contentType}`;
  return `Content-Disposition: form-data; name="${escapeName(name)}"${file}${type}`;
}

/** Escapes a name like browsers: a line break would begin a header. */
function escapeName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
