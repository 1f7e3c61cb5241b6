import { refuse, type Refusal } from '../errors/refusal.ts';

/** The refusal of a body that is no form. @param fault in words for the client */
export function malformedForm(fault: string): Refusal {
  return refuse(
    'invalid_value',
    `${fault} Send the request as multipart/form-data (RFC 7578); an HTTP library writes it.`,
  );
}
