import type { Refusal } from '../../platform/errors/refusal.ts';
import { malformedForm } from '../../platform/multipart/malformed-form.ts';
import { readBoundary } from '../../platform/multipart/read-boundary.ts';
import {
  FORM_LIMITS,
  readMultipart,
  type FormPart,
} from '../../platform/multipart/read-multipart.ts';
import { invalidValue } from '../fields/field-faults.ts';
import type { RequestHead } from '../protocol.ts';

/**
 * Reads the body of a request that is a form.
 * @param single fields that are acted on: two of them could be taken for either by an upstream
 */
export function readForm(
  body: Buffer,
  { headers, storedAt }: Pick<RequestHead, 'headers' | 'storedAt'>,
  single: readonly string[],
): readonly FormPart[] | Refusal {
  const boundary = readBoundary(headers['content-type'] ?? '');
  if (boundary === undefined) {
    return malformedForm('The Content-Type names no boundary.');
  }
  const parts = readMultipart(body, boundary, FORM_LIMITS, storedAt);
  if ('fault' in parts) return malformedForm(parts.fault);
  for (const name of single) {
    if (parts.filter((part) => part.name === name).length < 2) continue;
    return invalidValue(name, `The form has more than one field "${name}". Send one.`);
  }
  return parts;
}

/** Reads the parts of a form that was checked before, from its bytes alone. */
export function rereadForm(body: Uint8Array): readonly FormPart[] {
  const form = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // A form begins with its boundary.
  const boundary = form.toString('latin1', 2, form.indexOf('\r\n'));
  const parts = readMultipart(form, boundary, FORM_LIMITS);
  return 'fault' in parts ? [] : parts;
}

/** Returns a field's text; undefined if the form has no such field. */
export function textOf(parts: readonly FormPart[], name: string): string | undefined {
  return parts.find((part) => part.name === name)?.content.toString('utf8');
}

/** Returns the names that are not known. @param isKnown of lists, by the name with its brackets */
export function unknownNames(
  parts: readonly FormPart[],
  isKnown: (name: string) => boolean,
): readonly string[] {
  const names = parts.map(({ name }) => name);
  return [...new Set(names.filter((name) => !isKnown(name)))];
}

/** The part of a name in front of the brackets of a list. */
export function nameOfList(name: string): string {
  return name.split('[', 1)[0] ?? '';
}
