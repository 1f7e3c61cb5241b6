import { stringOf, type JsonObject } from '../../platform/json/json-value.ts';

/** What an error of AWS is about. */
export type ErrorMeaning =
  | 'validation'
  | 'throttled'
  | 'model_not_ready'
  | 'unavailable'
  | 'credential'
  | 'no_access'
  | 'no_model'
  | 'failed';

/**
 * By the type that an error names. Sources: the userguide's troubleshooting-api-error-codes page
 * and errors.d.ts of @aws-sdk/client-bedrock-runtime 3.1163, read on 2026-11-28. Types of faults in
 * signatures are those of all AWS services (CommonErrors of the API reference).
 */
const MEANINGS: ReadonlyMap<string, ErrorMeaning> = new Map([
  ['validationexception', 'validation'],
  ['throttlingexception', 'throttled'],
  ['toomanyrequestsexception', 'throttled'],
  ['servicequotaexceededexception', 'throttled'],
  ['modelnotreadyexception', 'model_not_ready'],
  ['serviceunavailableexception', 'unavailable'],
  ['serviceunavailable', 'unavailable'],
  ['incompletesignature', 'credential'],
  ['incompletesignatureexception', 'credential'],
  ['invalidclienttokenid', 'credential'],
  ['invalidsignatureexception', 'credential'],
  ['signaturedoesnotmatch', 'credential'],
  ['missingauthenticationtoken', 'credential'],
  ['missingauthenticationtokenexception', 'credential'],
  ['unrecognizedclientexception', 'credential'],
  ['expiredtoken', 'credential'],
  ['expiredtokenexception', 'credential'],
  ['requestexpired', 'credential'],
  ['optinrequired', 'credential'],
  ['notauthorized', 'credential'],
  ['accessdeniedexception', 'no_access'],
  ['accessdenied', 'no_access'],
  ['ftuformnotfilled', 'no_access'],
  ['resourcenotfoundexception', 'no_model'],
  ['modeltimeoutexception', 'failed'],
  ['modelerrorexception', 'failed'],
  ['modelstreamerrorexception', 'failed'],
  ['internalserverexception', 'failed'],
  ['internalfailure', 'failed'],
]);

/**
 * Returns what an error is about; undefined when its type is none of AWS'.
 * @param header the value of `x-amzn-errortype`, '' without one; the body may name the type, too
 */
export function errorMeaning(error: JsonObject, header: string): ErrorMeaning | undefined {
  return MEANINGS.get(typeIn(header || stringOf(error['__type']) || stringOf(error['code'])));
}

/** Types by which AWS refuses temporary keys that have expired, or that it knows no more. */
const KEY_REFUSED: ReadonlySet<string> = new Set([
  'expiredtoken',
  'expiredtokenexception',
  'invalidclienttokenid',
  'unrecognizedclientexception',
]);

/** Reports whether an error is about the keys that signed the request; AWS sends it with 403. */
export function isKeyRefused(header: string): boolean {
  return KEY_REFUSED.has(typeIn(header));
}

/** Reads `com.amazon.coral.service#ThrottlingException:http://internal.amazon.com/…`. */
function typeIn(named: string): string {
  const [type = ''] = named.slice(named.indexOf('#') + 1).split(':');
  return type.toLowerCase();
}
