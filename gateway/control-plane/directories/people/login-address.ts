import { EmailAddress } from '@weir/shared/api/wire-values';
import { Value } from 'typebox/value';
import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { normaliseEmail } from '../../users/user-row.ts';

interface Addressed {
  readonly userName: string;
  readonly attributes: JsonObject;
}

/**
 * The e-mail address by which a person of a directory has a login: the primary one, else that for
 * work, else any, else the user name. Undefined if none of them is an address.
 */
export function loginAddress({ userName, attributes }: Addressed): string | undefined {
  const sent: unknown[] = Array.isArray(attributes['emails']) ? attributes['emails'] : [];
  const emails = sent.filter(isJsonObject);
  const candidates = [
    ...emails.filter(({ primary }) => primary === true),
    ...emails.filter(({ type }) => String(type).toLowerCase() === 'work'),
    ...emails,
    { value: userName },
  ];
  return candidates
    .map(({ value }) => normaliseEmail(String(value)))
    .find((address) => Value.Check(EmailAddress, address));
}
