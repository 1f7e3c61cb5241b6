import { randomUUID } from 'node:crypto';
import type { FormPart } from './read-multipart.ts';

/** A form as it is sent. */
export interface WrittenForm {
  readonly contentType: string;
  readonly body: Buffer;
}

/**
 * Writes a form with a boundary that no part can contain, since it is drawn after the parts are
 * known. Each file is copied once.
 * @param allocate memory for the body
 */
export function writeMultipart(
  parts: readonly FormPart[],
  allocate: (bytes: number) => Buffer,
): WrittenForm {
  const boundary = `weir-${randomUUID()}`;
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`),
    part.content,
    Buffer.from('\r\n'),
  ]);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  const body = allocate(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(body, at);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

/** A field that is no file: `name` and `value` as text. */
export function textPart(name: string, value: string): FormPart {
  return { name, filename: null, contentType: '', content: Buffer.from(value) };
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
