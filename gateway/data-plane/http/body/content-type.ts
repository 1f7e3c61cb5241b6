import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import { isMultipart } from '../../../platform/multipart/read-boundary.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';

/**
 * Checks the content-type header ('' when absent): application/json or any application/…+json, with
 * any parameters. The body itself is read as UTF-8 whatever the charset parameter says.
 */
export function checkContentType(header: string): Refusal | undefined {
  if (header === JSON_TYPE) return undefined;
  const semicolon = header.indexOf(';');
  const type = (semicolon === -1 ? header : header.slice(0, semicolon)).trim().toLowerCase();
  if (type === JSON_TYPE) return undefined;
  if (type.startsWith('application/') && type.endsWith('+json')) return undefined;
  return refuse('unsupported_media_type', unsupportedMessage(type));
}

/** Checks the content-type header of a request that is a form with files. */
export function checkFormType(header: string): Refusal | undefined {
  if (isMultipart(header)) return undefined;
  return refuse(
    'unsupported_media_type',
    `The Content-Type must be ${FORM_TYPE}. Send the request as a form with the file.`,
  );
}

function unsupportedMessage(type: string): string {
  const remedy = 'Send the header "Content-Type: application/json" and a JSON body.';
  if (type === '') return `The Content-Type header is missing. ${remedy}`;
  if (type === 'application/x-www-form-urlencoded') {
    return `The body is declared as a form (curl's -d does that by itself). ${remedy}`;
  }
  return `The Content-Type must be ${JSON_TYPE}. ${remedy}`;
}
